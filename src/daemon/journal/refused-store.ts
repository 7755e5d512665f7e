import type { SeamError } from "../../errors/index.ts";
import type { Cursor } from "./cursor.ts";
import type { Journal } from "./journal.ts";

/** The journal and the cursor, as the rest of the daemon uses them. */
export type EntryStore = Pick<
  Journal,
  "append" | "after" | "strike" | "strikeRest" | "trim" | "close"
>;
export type Progress = Pick<Cursor, "value" | "move" | "close">;

/**
 * In the place of a journal that a newer Seam wrote: nothing is read from it and nothing written.
 * Hooks are answered all the same.
 */
export function refusedStore(why: SeamError): { journal: EntryStore; cursor: Progress } {
  return {
    journal: {
      append: () => {
        throw why;
      },
      *after() {},
      strike: () => {},
      strikeRest: () => {},
      trim: () => {},
      close: () => {},
    },
    cursor: { value: 0, move: () => {}, close: () => {} },
  };
}
