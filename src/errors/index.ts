export { ERRORS, type ErrorCode } from "./codes.ts";
export { messageOf } from "./message-of.ts";
export { type ErrorDetails, SeamError } from "./seam-error.ts";
