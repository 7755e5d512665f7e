import type { Command } from "commander";
import { daemonPaths, daemonStatus, followEvents, type LiveEvent } from "../../daemon/index.ts";
import { agentNameIn } from "../agent-called.ts";
import { paint, printLine } from "../print.ts";
import { clock } from "../record/format.ts";

interface Options {
  agent?: string;
  session?: string;
  event?: string;
  json?: boolean;
}

export function addEvents(program: Command): void {
  program
    .command("events")
    .option("-a, --agent <name>", "only this agent", agentNameIn)
    .option("--session <id>", "only this session; the start of its id is enough")
    .option("--event <name>", "only this event, or this hook of the agent")
    .option("--json", "print JSON, one object a line")
    .addHelpText(
      "after",
      `
Runs until you stop it, also while the daemon is started again.

Examples:
  seam events
  seam events --agent claude-code --event tool_call
  seam events --json | jq -r .tool`,
    )
    .action(follow);
}

async function follow({ agent, session, event, json }: Options): Promise<void> {
  const paths = daemonPaths();
  if (!(await daemonStatus(paths))) {
    process.stderr.write("The daemon does not run yet. Waiting for the first hook …\n");
  }
  const filter = {
    ...(agent !== undefined && { agent }),
    ...(session !== undefined && { session }),
    ...(event !== undefined && { event }),
  };
  for await (const live of followEvents(paths, filter)) {
    printLine(json ? JSON.stringify(live) : inOneLine(live));
  }
}

const SHOWN_ID = 8;

function inOneLine(live: LiveEvent & { lost?: number }): string {
  const { at, agent, session, event, hook, tool, target, decision, reason, by, lost } = live;
  const parts = [
    paint("dim", clock(at)),
    agent,
    paint("dim", (session ?? "-").slice(0, SHOWN_ID)),
    event ?? `(${hook})`,
    ...(tool === undefined ? [] : [paint("cyan", tool)]),
    ...(target === undefined ? [] : [target.split("\n")[0] ?? ""]),
  ];
  if (decision !== undefined) {
    const why = [by, reason?.split("\n")[0]].filter(Boolean).join(": ");
    const colour = decision === "blocked" || decision === "cancelled" ? "red" : "yellow";
    parts.push(paint(colour, why === "" ? decision : `${decision} (${why})`));
  }
  if (lost !== undefined) parts.push(paint("red", `${lost} events before this one were lost`));
  return parts.join("  ");
}
