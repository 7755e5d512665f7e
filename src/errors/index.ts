export { ERRORS, type ErrorCode } from "./codes.ts";
export { messageOf } from "./message-of.ts";
export { inWords, refusal } from "./refusal.ts";
export { type ErrorDetails, explain, SeamError } from "./seam-error.ts";
export { systemCode } from "./system-code.ts";
export { usageError } from "./usage-error.ts";
