import type { Command } from "commander";
import {
  AGENTS,
  type Agent,
  allRecords,
  disable,
  isEnabled,
  type Level,
  planDisable,
  type Step,
  standingOf,
  type Target,
} from "../../agents/index.ts";
import { messageOf, SeamError } from "../../errors/index.ts";
import { askYesNo } from "../ask/yes-no.ts";
import { agentsNamed, needTerminal } from "../enable/choose-agents.ts";
import { type Here, here, levelFor } from "../enable/here.ts";
import { printPlan, stepsAsJson } from "../enable/print-steps.ts";
import { stopRecordHere } from "../enable/record-here.ts";
import { paint, printJson, printLine } from "../print.ts";
import { shownPath } from "../shown-path.ts";

interface Options {
  agent?: string[];
  level?: string;
  all?: boolean;
  yes?: boolean;
  json?: boolean;
}

export function addDisable(program: Command): void {
  program
    .command("disable")
    .description("take Seam out of the settings of your coding agents")
    .option("-a, --agent <name...>", "only these agents, without being asked")
    .option("-l, --level <level>", "project or user")
    .option("--all", "at both levels and in all other projects too")
    .option("-y, --yes", "do not ask")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
A file that nobody changed since becomes what it was before, to the byte. From
one that was changed, only what is Seam's is taken out. Extensions and what was
recorded stay.

Examples:
  seam disable
  seam disable --agent gemini --level user
  seam disable --all --yes`,
    )
    .action(run);
}

/** A place, and what is to be disabled there. */
interface Work {
  readonly at: Here;
  readonly target: Target;
}

async function run(options: Options): Promise<void> {
  const at = here();
  const agents = options.agent ? agentsNamed(options.agent) : AGENTS;
  const work = options.all ? everywhere(agents, at) : hereOnly(agents, at, options.level);
  const planned = work.flatMap(({ at: there, target }) =>
    attempt(() => planDisable(target, there)),
  );
  const steps = planned.flatMap((plan) => ("steps" in plan ? plan.steps : []));
  if (steps.length > 0 && !options.agent && !options.yes) {
    needTerminal("--agent <name> or --yes", options.json);
    printLine("Seam will");
    printPlan(steps);
    if (!(await askYesNo("Go on?", true))) return printLine("Nothing was changed.");
  }
  const done = work.map(({ at: there, target }) => attempt(() => disable([target], there)));
  const failed = done.flatMap((result) => ("error" in result ? result.error : []));
  const changed = done.flatMap((result) => ("steps" in result ? result.steps : []));
  if (failed.length > 0) process.exitCode = 1;
  // For one agent alone, the others go on being recorded.
  const isAll = options.agent === undefined && levelFor(options.level, at) === "project";
  const stopped = isAll || options.all ? await stopRecordHere() : false;
  if (options.json) {
    return printJson({
      files: stepsAsJson(changed),
      record: stopped,
      errors: failed.map((error) => error.toJSON()),
    });
  }
  for (const { name } of changed) printLine(`${paint("green", "✓")} ${shownPath(name)}`);
  for (const { message, next } of failed) printLine(`${paint("red", "✗")} ${message}\n  ${next}`);
  if (stopped) printLine(`${paint("green", "✓")} git hooks; what was recorded stays`);
  if (changed.length === 0 && failed.length === 0 && !stopped) printLine(nothing(at, options));
}

function hereOnly(agents: readonly Agent[], at: Here, asked: string | undefined): Work[] {
  const level = levelFor(asked, at);
  return agents.map((agent) => ({ at, target: { agent, level } }));
}

/** Both levels here, and every other project that Seam remembers. */
function everywhere(agents: readonly Agent[], at: Here): Work[] {
  const roots = allRecords(at.store)
    .filter(({ level }) => level === "project")
    .map(({ root }) => root);
  const projects = [...new Set([at.place.project, ...roots])].map((project) => ({
    ...at,
    place: { ...at.place, project },
  }));
  return agents.flatMap((agent) => [
    { at, target: { agent, level: "user" as const } },
    ...projects.map((there) => ({ at: there, target: { agent, level: "project" as const } })),
  ]);
}

/** One file that cannot be changed is no reason to leave Seam in all others. */
function attempt(work: () => readonly Step[]): { steps: readonly Step[] } | { error: SeamError } {
  try {
    return { steps: work() };
  } catch (thrown) {
    if (thrown instanceof SeamError) return { error: thrown };
    throw new Error(messageOf(thrown), { cause: thrown });
  }
}

function nothing(at: Here, { level, all }: Options): string {
  if (all) return "Seam is not enabled anywhere.";
  const asked = levelFor(level, at);
  const other: Level = asked === "project" ? "user" : "project";
  const there = AGENTS.filter((agent) => isEnabled(standingOf(agent, other, at)));
  const hint = there.length > 0 ? ` It is at ${other} level: seam disable --level ${other}` : "";
  return `Seam is not enabled at ${asked} level.${hint}`;
}
