import type { Command } from "commander";
import { askService, daemonPaths } from "../../daemon/index.ts";
import { liveSessions, sessionNamed } from "../inbox/live-session.ts";
import { printJson, printLine } from "../print.ts";

const ENDS: Readonly<Record<string, string>> = {
  "next step": "Its turn ends at its next step.",
  "calls refused": "Its tool calls are refused until its turn ends: the agent has no other way.",
};

export function addInterrupt(program: Command): void {
  program
    .command("interrupt <session>")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
The session is one that spoke lately: seam hold lists them. The beginning of its
id will do. A call that waits for an answer does not run; a command that runs
already is not stopped. docs/coverage.md says which agents can end a turn
(interrupt); the others have their tool calls refused until they give up.

Examples:
  seam interrupt 3f9a12c4`,
    )
    .action(async (name: string, { json }: { json?: boolean }) => {
      const paths = daemonPaths();
      const { agent, session } = sessionNamed(await liveSessions(paths), name);
      const said = await askService(paths, "POST", "/v1/live/interrupt", { agent, session });
      const { ends } = said as { ends: string };
      if (json) printJson({ agent, session, ends });
      else printLine(ENDS[ends] ?? ends);
    });
}
