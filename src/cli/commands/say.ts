import type { Command } from "commander";
import { askService, daemonPaths } from "../../daemon/index.ts";
import { liveSessions, sessionNamed } from "../inbox/live-session.ts";
import { printJson, printLine } from "../print.ts";

const REACHES: Readonly<Record<string, string>> = {
  "next step": "It hears that at its next step.",
  "when it stops": "It hears that when it stops, and goes on with it.",
};

export function addSay(program: Command): void {
  program
    .command("say <session> <text>")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
The session is one that spoke lately: seam hold lists them. The beginning of its
id will do.

Examples:
  seam say 3f9a12c4 "Use the existing helper in src/files."`,
    )
    .action(async (name: string, text: string, { json }: { json?: boolean }) => {
      const paths = daemonPaths();
      const { agent, session } = sessionNamed(await liveSessions(paths), name);
      const said = await askService(paths, "POST", "/v1/live/say", { agent, session, text });
      const { when } = said as { when: string };
      if (json) printJson({ agent, session, when });
      else printLine(REACHES[when] ?? when);
    });
}
