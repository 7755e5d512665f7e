import type { Command } from "commander";
import { daemonPaths } from "../../daemon/index.ts";
import { usageError } from "../../errors/index.ts";
import { attach } from "../../screen/index.ts";
import { agentType } from "../record/format.ts";

export function addAttach(program: Command): void {
  program
    .command("attach [session]")
    .addHelpText(
      "after",
      `
Shows the live sessions of all agents, one of them as it grows, and what waits
for your answer. While it is open, agents wait for answers here.

Examples:
  seam attach
  seam attach 3f9a12c4`,
    )
    .action(async (session: string | undefined) => {
      needTerminal();
      await attach({
        paths: daemonPaths(),
        typeOf: agentType,
        ...(session !== undefined && { session }),
      });
    });
}

/** `seam` alone: the live sessions, and Seam's own agent beside them. True if that one is wanted. */
export async function chooseWhatToDo(): Promise<boolean> {
  const own = { value: "run", label: "▸ Start Seam's own agent here", description: "seam run" };
  return (await attach({ paths: daemonPaths(), typeOf: agentType, offers: [own] })) === "run";
}

function needTerminal(): void {
  if (process.stdin.isTTY && process.stdout.isTTY) return;
  throw usageError("seam attach needs a terminal.", "Without one: seam inbox, seam events");
}
