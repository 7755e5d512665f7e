import type { Command } from "commander";
import { AGENTS, isEnabled, LEVELS, type Standing, standingOf } from "../../agents/index.ts";
import { daemonPlace, daemonStatus } from "../../daemon/index.ts";
import { findExtensions } from "../../extensions/index.ts";
import { type Here, here } from "../enable/here.ts";
import { paint, printJson, printLine, table } from "../print.ts";
import { shownPath } from "../shown-path.ts";

export function addStatus(program: Command): void {
  program
    .command("status")
    .description("show which agents call Seam here, and what is in force")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  seam status\n  seam status --json")
    .action(show);
}

async function show({ json }: { json?: boolean }): Promise<void> {
  const at = here();
  const agents = standings(at);
  const daemon = await daemonStatus(daemonPlace(at.store));
  const { sources, untrusted } = findExtensions({ cwd: process.cwd() });
  if (json) {
    return printJson({
      project: at.isProject ? at.place.project : undefined,
      agents: agents.map(({ agent, level, health, used }) => ({
        agent: agent.name,
        level,
        health,
        files: used,
      })),
      daemon: daemon ?? null,
      extensions: sources.map(({ name, scope, path }) => ({ name, scope, path })),
      untrusted: untrusted.map(({ source: { name, path }, trust }) => ({ name, path, trust })),
    });
  }
  printLine(`${paint("bold", "Agents")}  ${at.isProject ? at.place.project : "no project here"}`);
  if (agents.length === 0) printLine("  none calls Seam yet: seam enable");
  const rows = agents.map(({ agent, level, health, used, recorded }) => [
    `  ${agent.type}`,
    level,
    health === "installed" ? "enabled" : SAID[health],
    [...(used.length > 0 ? used : recorded)].map((path) => shownPath(path)).join(", "),
  ]);
  for (const line of table(rows)) printLine(line);
  printLine(`${paint("bold", "Daemon")}  ${daemonLine(daemon)}`);
  const waiting = untrusted.length > 0 ? `, ${untrusted.length} not trusted (seam trust)` : "";
  const names = sources.map(({ name }) => name).join(", ") || "none";
  printLine(`${paint("bold", "Extensions")}  ${names}${waiting}`);
}

const SAID = {
  none: "gone: seam doctor",
  outdated: "enabled, of another version: seam doctor --fix",
  damaged: "cannot be read: seam doctor",
} as const;

/** Agents that call Seam, or should: what was enabled and is gone is shown too. */
function standings(at: Here): Standing[] {
  const levels = LEVELS.filter((level) => level === "user" || at.isProject);
  return AGENTS.flatMap((agent) => levels.map((level) => standingOf(agent, level, at))).filter(
    (standing) => isEnabled(standing) || standing.recorded.length > 0,
  );
}

function daemonLine(daemon: Awaited<ReturnType<typeof daemonStatus>>): string {
  if (!daemon) return "not running; the first hook starts it";
  const { pid, sessions } = daemon;
  return `process ${pid}, ${sessions} ${sessions === 1 ? "session" : "sessions"} known`;
}
