import type { Command } from "commander";
import { askService, daemonPaths, type LiveSession } from "../../daemon/index.ts";
import { liveSessions, sessionNamed } from "../inbox/live-session.ts";
import { paint, printJson, printLine } from "../print.ts";
import { agentType, oneLine, plain, shortIds, when } from "../record/format.ts";
import { shownFolder } from "../shown-path.ts";
import { table } from "../table.ts";

interface Options {
  off?: boolean;
  json?: boolean;
}

export function addHold(program: Command): void {
  program
    .command("hold [session]")
    .option("--off", "let it go on")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Without a session it lists those that spoke lately. A held session waits at its
next tool call; after nine minutes the call is denied with "held by the user, try
again later", which is not a no to what it wants to do.

Examples:
  seam hold
  seam hold 3f9a12c4
  seam hold 3f9a12c4 --off`,
    )
    .action(hold);
}

async function hold(name: string | undefined, { off = false, json }: Options): Promise<void> {
  const paths = daemonPaths();
  const sessions = await liveSessions(paths);
  if (name === undefined) return list(sessions, json);
  const { agent, session } = sessionNamed(sessions, name);
  await askService(paths, "POST", "/v1/live/hold", { agent, session, off });
  if (json) return printJson({ agent, session, isHeld: !off });
  printLine(
    off
      ? "It goes on."
      : `It waits at its next tool call. To let it go on: seam hold --off ${plain(session)}`,
  );
}

const PHASES: Readonly<Record<LiveSession["phase"], string>> = {
  "needs-you": "needs you",
  working: "working",
  done: "done",
  quiet: "quiet",
};

function list(sessions: readonly LiveSession[], json = false): void {
  if (json) {
    printJson({ sessions });
    return;
  }
  if (sessions.length === 0) printLine("No session spoke lately.");
  const short = shortIds(sessions.map(({ session }) => session));
  const rows = plain(sessions).map(({ session, agent, cwd, phase, at, isHeld, prompt }) => [
    paint("yellow", short(session)),
    agentType(agent),
    isHeld ? "held" : PHASES[phase],
    when(at),
    `${shownFolder(cwd)}${prompt === undefined ? "" : `  ${oneLine(prompt, 60)}`}`,
  ]);
  for (const line of table(rows)) printLine(line);
}
