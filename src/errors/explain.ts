import { messageOf } from "./message-of.ts";
import { SeamError } from "./seam-error.ts";

/** What happened and, where that is known, what to do about it: in one line. */
export function explain(thrown: unknown): string {
  return thrown instanceof SeamError ? `${thrown.message} ${thrown.next}` : messageOf(thrown);
}
