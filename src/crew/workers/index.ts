export { attemptFiles } from "./attempt-files.ts";
export { ATTEMPT_MARK, lives, processIn } from "./attempt-process.ts";
export type { AttemptSpec } from "./attempt-spec.ts";
export { endAttempt } from "./end-attempt.ts";
export type { AttemptEvent } from "./process-watch.ts";
export { startAttempt, wallsAround } from "./start-attempt.ts";
export { checkResult } from "./typed-result.ts";
export { watchAttempt } from "./watch-attempt.ts";
