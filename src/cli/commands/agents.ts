import type { Command } from "commander";
import {
  AGENTS,
  type Agent,
  installedVersion,
  isEnabled,
  LEVELS,
  POWERS,
  type Power,
  standingOf,
} from "../../agents/index.ts";
import { type Here, here } from "../enable/here.ts";
import { paint, printJson, printLine } from "../print.ts";
import { table } from "../table.ts";

export function addAgents(program: Command): void {
  program
    .command("agents")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Runs each agent that is installed once, to ask for its version.

Examples:
  seam agents
  seam agents --json`,
    )
    .action(list);
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const at = here();
  const rows = await Promise.all(AGENTS.map((agent) => describe(agent, at)));
  if (json) return printJson(rows);
  const shown = rows.map(({ name, version, program, enabled, can }) => [
    name,
    version ?? (program ? "installed" : "not found"),
    enabled.join(" and ") || "-",
    can.join(", ") || "only watched",
  ]);
  const [head = "", ...lines] = table([["agent", "version", "enabled", "can"], ...shown]);
  printLine(paint("dim", head));
  for (const line of lines) printLine(line);
}

async function describe(agent: Agent, at: Here) {
  const { name, type, description, preview, program, hooks } = agent;
  const found = agent.detect(at.place);
  const powers = new Set<Power>(Object.values(hooks?.mapping ?? {}).flatMap((row) => row.powers));
  const levels = LEVELS.filter((level) => level === "user" || at.isProject);
  const standings = levels.map((level) => standingOf(agent, level, at));
  return {
    name,
    type,
    description,
    preview,
    configured: found.configured,
    program: found.program,
    version: found.program && (await installedVersion(program, at.place)),
    tested: program.tested,
    enabled: standings.filter(isEnabled).map(({ level }) => level),
    mcp: {
      supported: agent.mcp !== undefined,
      enabled: standings.filter(({ mcp }) => mcp.health === "installed").map(({ level }) => level),
    },
    hooks: Object.keys(hooks?.mapping ?? {}),
    can: POWERS.filter((power) => powers.has(power)),
  };
}
