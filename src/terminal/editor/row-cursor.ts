import type { EditSession } from "../editing/edit-session.ts";
import type { Segmenter } from "../editing/segments.ts";
import { columnOf, positionAt, type Row, rowOf } from "./layout.ts";

/** Moves the cursor between rows. It comes back to its column after rows that were too short. */
export class RowCursor {
  #goalColumn: number | undefined;

  move(session: EditSession, rows: readonly Row[], step: number, segment: Segmenter): void {
    const { lines, cursor } = session.buffer;
    const at = rowOf(rows, cursor);
    const from = rows[at];
    const to = rows[Math.max(0, Math.min(at + step, rows.length - 1))];
    if (!from || !to) return;
    this.#goalColumn ??= columnOf(lines, from, cursor.col);
    session.moveTo(positionAt(lines, to, this.#goalColumn, segment, step));
  }

  /** Any other movement sets a new column. */
  forgetColumn(): void {
    this.#goalColumn = undefined;
  }
}
