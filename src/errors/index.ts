export { ERRORS, type ErrorCode } from "./codes.ts";
export { explain } from "./explain.ts";
export { messageOf } from "./message-of.ts";
export { inWords, refusal } from "./refusal.ts";
export { type ErrorDetails, SeamError } from "./seam-error.ts";
export { systemCode } from "./system-code.ts";
