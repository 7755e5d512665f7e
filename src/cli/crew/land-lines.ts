import type { LandResult, UndoResult } from "../../crew/index.ts";
import { plainText } from "../record/format.ts";

/** What became of the result of a run on the user's branch. */
export function landLines(result: LandResult): string[] {
  switch (result.kind) {
    case "landed":
      return [
        `${result.branch} is now at ${result.after.slice(0, 12)}.`,
        "To take it back: seam crew land --undo",
      ];
    case "contained":
      return [`${result.branch} has all of it already.`];
    case "conflict":
      return [
        `It does not fit to what is on your branch: ${plainText(result.files.join(", "))}`,
        result.next,
      ];
    case "held":
      return [plainText(result.reason), result.next];
  }
}

/** What became of taking a landing back. */
export function undoLines(result: UndoResult): string[] {
  switch (result.kind) {
    case "undone":
      return [`${result.branch} is at ${result.at.slice(0, 12)} again.`];
    case "nothing":
      return [plainText(result.reason)];
    case "held":
      return [plainText(result.reason), result.next];
  }
}
