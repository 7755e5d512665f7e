import { usageError } from "../../errors/index.ts";
import { isCapable } from "../print.ts";
import { askYesNo } from "./yes-no.ts";

/** Whether there is a person to ask. */
export function isAsked(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Whether a list can be drawn to choose from: it needs more than lines. */
export function canChoose(): boolean {
  return isAsked() && isCapable(process.stdout);
}

interface Wish {
  readonly yes?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Asks before something is done; without a terminal the answer has to be given with --yes. */
export async function agreed(message: string, { yes, json }: Wish): Promise<boolean> {
  if (yes) return true;
  if (json || !isAsked()) {
    const why = json ? "With --json nothing is asked." : "There is no terminal to ask on.";
    throw usageError(why, "To do it without being asked, add --yes.");
  }
  return askYesNo(message, false);
}
