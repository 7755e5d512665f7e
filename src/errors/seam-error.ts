import { ERRORS, type ErrorCode } from "./codes.ts";
import { messageOf } from "./message-of.ts";

export type ErrorDetails = Readonly<Record<string, string | number | undefined>>;

/**
 * An error with a stable code, what happened, and what the user can do about it.
 *
 * @example
 * if (error instanceof SeamError) console.error(error.code, error.message, error.next);
 */
export class SeamError extends Error {
  override readonly name = "SeamError";
  readonly code: ErrorCode;
  readonly next: string;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(fill(ERRORS[code].what, details), options);
    this.code = code;
    this.next = fill(ERRORS[code].next, details);
    this.details = details;
  }

  /** What `--json` output and logs show. */
  toJSON(): { code: ErrorCode; message: string; next: string; details: ErrorDetails } {
    return { code: this.code, message: this.message, next: this.next, details: this.details };
  }
}

function fill(template: string, details: ErrorDetails): string {
  return template.replace(/\{(\w+)\}/g, (whole, key: string) => String(details[key] ?? whole));
}

/** What happened and, where that is known, what to do about it: in one line. */
export function explain(thrown: unknown): string {
  return thrown instanceof SeamError ? `${thrown.message} ${thrown.next}` : messageOf(thrown);
}
