import { existsSync } from "node:fs";
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
import { isServiceInstalled, uninstallService } from "../../daemon/index.ts";
import { messageOf, SeamError } from "../../errors/index.ts";
import {
  recordsEveryRepository,
  rememberedRepositories,
  type Stopped,
  stopEveryRecord,
  stopUserRecord,
} from "../../record/index.ts";
import { askYesNo } from "../ask/yes-no.ts";
import { agentsNamed, needTerminal } from "../enable/choose-agents.ts";
import { type Here, here, levelFor } from "../enable/here.ts";
import { keepOut } from "../enable/keep-out.ts";
import { changeOf, printPlan, stepsAsJson } from "../enable/print-steps.ts";
import { stopRecordHere } from "../enable/record-here.ts";
import { paint, printJson, printLine } from "../print.ts";
import { shownFolder, shownPath } from "../shown-path.ts";

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
    .option("-a, --agent <name...>", "only these agents, without being asked")
    .option("-l, --level <level>", "project or user")
    .option("--all", "at both levels, in all projects and repositories that Seam was enabled in")
    .option("-y, --yes", "do not ask")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
A file that nobody changed since becomes what it was before, to the byte. From
one that was changed, only what is Seam's is taken out. Extensions and what was
recorded stay. In a work tree of a repository only that one is disabled.

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
  // For one agent alone, the others go on being recorded.
  const scope = options.agent ? "none" : options.all ? "all" : levelFor(options.level, at);
  const ending = await recordToEnd(scope);
  const hasService = scope === "all" && isServiceInstalled();
  if ((steps.length > 0 || ending.length > 0 || hasService) && !options.agent && !options.yes) {
    needTerminal("--agent <name> or --yes", options.json);
    printLine("Seam will");
    printPlan(steps);
    for (const what of ending) printLine(`  end  the record of ${what}`);
    if (hasService) printLine("  end  the start of the daemon at login");
    if (!(await askYesNo("Go on?", true))) return printLine("Nothing was changed.");
  }
  const done = work.map(({ at: there, target }) => attempt(() => disable([target], there)));
  const failed = done.flatMap((result) => ("error" in result ? result.error : []));
  const changed = done.flatMap((result) => ("steps" in result ? result.steps : []));
  const gone = [...new Set(work.map(({ at: there }) => there.place.project))].filter(
    (project) => !existsSync(project),
  );
  for (const project of projectsOf(work)) {
    const { error } = await keepOut({ ...at, place: { ...at.place, project }, isProject: true });
    if (error) failed.push(error);
  }
  const record = await endRecords(scope, failed);
  const service = hasService && (await uninstallService());
  if (failed.length > 0) process.exitCode = 1;
  const lost = [...new Set([...gone, ...record.gone])].sort();
  if (options.json) {
    return printJson({
      files: stepsAsJson(changed),
      record: record.ended.length > 0,
      ended: record.ended,
      gone: lost,
      ...(service && { service }),
      errors: failed.map((error) => error.toJSON()),
    });
  }
  for (const step of changed) {
    if (changeOf(step) !== "unchanged") printLine(`${paint("green", "✓")} ${shownPath(step.name)}`);
  }
  for (const { message, next } of failed) printLine(`${paint("red", "✗")} ${message}\n  ${next}`);
  for (const text of record.lines) printLine(`${paint("green", "✓")} ${text}`);
  if (service) printLine(`${paint("green", "✓")} the daemon does not start at login any more`);
  for (const path of lost) {
    printLine(`${paint("yellow", "!")} ${path} is not there any more; Seam forgets it.`);
    printLine("  If it was moved, run seam disable where it is now.");
  }
  const isNothing =
    changed.length + failed.length + record.lines.length + lost.length === 0 && !service;
  if (isNothing) printLine(nothing(at, options));
}

/** Which part of the record ends with this command. */
type Scope = "none" | "project" | "user" | "all";

/** What will not be recorded any more, in words. */
async function recordToEnd(scope: Scope): Promise<string[]> {
  const isEvery = recordsEveryRepository();
  const every = isEvery ? ["every repository that an agent works in"] : [];
  if (scope === "all") {
    return [...every, ...rememberedRepositories().map(({ workTree }) => shownFolder(workTree))];
  }
  return scope === "user" ? every : [];
}

interface RecordEnd {
  readonly lines: readonly string[];
  /** Work trees that are not recorded any more. */
  readonly ended: readonly string[];
  /** Repositories that were moved or deleted since. */
  readonly gone: readonly string[];
}

async function endRecords(scope: Scope, failed: SeamError[]): Promise<RecordEnd> {
  if (scope === "none") return { lines: [], ended: [], gone: [] };
  if (scope === "project") return endHere();
  const isEvery = recordsEveryRepository();
  const all = await (scope === "all" ? stopEveryRecord() : stopUserRecord());
  const of = (how: Stopped["how"]) => all.filter((one) => one.how === how);
  for (const { workTree, error } of of("failed")) {
    const detail = messageOf(error);
    failed.push(
      error instanceof SeamError
        ? error
        : new SeamError("SEAM_GIT_WRITE", { path: workTree, detail }),
    );
  }
  const ended = of("ended").map(({ workTree }) => workTree);
  const lines = ended.map((path) => `git hooks of ${shownFolder(path)}; what was recorded stays`);
  if (isEvery) lines.unshift("no repository is recorded by itself any more");
  return { lines, ended, gone: of("gone").map(({ workTree }) => workTree) };
}

async function endHere(): Promise<RecordEnd> {
  const { how, workTree, others } = await stopRecordHere();
  if (how === "nothing") return { lines: [], ended: [], gone: [] };
  const ended = workTree === undefined ? [] : [workTree];
  if (how === "repository") {
    return { lines: ["git hooks; what was recorded stays"], ended, gone: [] };
  }
  const rest =
    others.length === 0
      ? "All other repositories still are: seam disable --level user"
      : `Still recorded: ${others.map((path) => shownFolder(path)).join(", ")}`;
  return { lines: [`this work tree is not recorded any more. ${rest}`], ended, gone: [] };
}

/** Projects in which files were looked at, as far as they are there. */
function projectsOf(work: readonly Work[]): string[] {
  const projects = work
    .filter(({ target }) => target.level === "project")
    .map(({ at }) => at.place.project);
  return [...new Set(projects)].filter((project) => existsSync(project));
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
