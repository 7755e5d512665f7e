import { confirm, isCancel } from "@clack/prompts";
import { SeamError } from "../../errors/index.ts";

/** Whether there is a person to ask. */
export function isAsked(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Asks before something is done; without a terminal the answer has to be given with --yes. */
export async function agreed(message: string, yes: boolean | undefined): Promise<boolean> {
  if (yes) return true;
  if (!isAsked()) {
    const detail = "There is no terminal to ask on. Use --yes to do it without being asked.";
    throw new SeamError("SEAM_USAGE", { detail });
  }
  const answer = await confirm({ message, initialValue: false });
  return !isCancel(answer) && answer;
}
