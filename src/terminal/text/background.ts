import { ESC, splitEscapes } from "./escapes.ts";
import { StyleState } from "./style-state.ts";
import { fitLine } from "./truncate.ts";

export type Paint = (text: string) => string;

const PROBE = "\u0000";
const MAY_END_BACKGROUND = new RegExp(`^${ESC}\\[(?:|(?:.*;)?(?:0|49)(?:;.*)?)m$`);

/** A line of exactly `width` columns, painted over its whole length. */
export function paintLine(line: string, width: number, paint: Paint | undefined): string {
  const fitted = fitLine(line, width);
  if (!paint) return fitted;
  const [open = ""] = paint(PROBE).split(PROBE);
  return paint(reopenBackground(fitted, open));
}

/** Text that resets its own styles would tear a hole into the background behind it. */
function reopenBackground(line: string, open: string): string {
  if (open === "" || !line.includes(ESC)) return line;
  const styles = new StyleState();
  let result = "";
  for (const piece of splitEscapes(line)) {
    result += piece.text;
    if (piece.kind === "text") continue;
    styles.apply(piece.text);
    if (!styles.hasBackground && MAY_END_BACKGROUND.test(piece.text)) result += open;
  }
  return result;
}
