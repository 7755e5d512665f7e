import type { Command } from "commander";
import {
  AGENTS,
  type Agent,
  checkTwice,
  checkUp,
  detectAll,
  enable,
  type Finding,
  isEnabled,
  type Level,
  planEnable,
  type Step,
  standingOf,
  type Target,
} from "../../agents/index.ts";
import { daemonPaths, ensureClient, launchDaemon } from "../../daemon/index.ts";
import { type SeamError, usageError } from "../../errors/index.ts";
import { setRecordsEveryRepository } from "../../record/index.ts";
import { askYesNo } from "../ask/yes-no.ts";
import { agentsNamed, askWhich, needTerminal } from "../enable/choose-agents.ts";
import { type Here, here, levelFor } from "../enable/here.ts";
import { committedFiles, type KeptOut, keepOut } from "../enable/keep-out.ts";
import { levelOfEach } from "../enable/level-of-each.ts";
import { findingAsJson, printFindings } from "../enable/print-findings.ts";
import { printPlan, stepsAsJson } from "../enable/print-steps.ts";
import { canRecordHere, recordHere } from "../enable/record-here.ts";
import { paint, printJson, printLine } from "../print.ts";
import { shownFolder, shownPath } from "../shown-path.ts";

interface Options {
  agent?: string[];
  level?: string;
  shared?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  record?: boolean;
  mcp?: boolean;
  json?: boolean;
}

export function addEnable(program: Command): void {
  program
    .command("enable")
    .option("-a, --agent <name...>", "these agents, without being asked")
    .option("-l, --level <level>", "project: here; user: in all your projects")
    .option("--shared", "for everybody who works on the project: into files that are committed")
    .option("-y, --yes", "all agents that are found, without being asked")
    .option("--dry-run", "show what would be written, change nothing")
    .option("--record", "at user level: record every repository that an agent works in")
    .option("--no-record", "do not record in this repository what agents do")
    .option("--mcp", "also offer the tools and commands of your extensions to these agents")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Adds Seam's hooks to the agents' own settings and keeps all else in them.
In a project that is the project level. Elsewhere it is the user level, for all your
projects: you are asked first, or say --level user.
At project level what agents do in the repository is recorded from now on, under
refs/seam: it is never pushed unless you say so (seam sync). At user level nothing
is recorded unless you say --record.
What is written in a project is for you alone and stays out of commits, by lines in
.git/info/exclude, unless you say --shared.
With --mcp, Seam's MCP server is added to the agents' settings as well (seam mcp --help).
Undo, to the byte: seam disable

Examples:
  seam enable
  seam enable --agent claude-code codex
  seam enable --level user --yes
  seam enable --level user --mcp --yes
  seam enable --level user --record --yes
  seam enable --dry-run --yes`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  const at = here();
  const level = levelFor(options.level, at);
  if (level === "user" && !options.level && !options.dryRun && (options.agent || options.yes)) {
    throw usageError(
      `${process.cwd()} is in no project, so this would be for all your projects.`,
      "If you mean that, say --level user. For one project, go there.",
    );
  }
  const { shared = false } = options;
  if (shared && level === "user") {
    throw usageError(
      "--shared is for a project: settings at user level are yours alone.",
      "Leave out --shared, or use --level project.",
    );
  }
  const isEvery = level === "user" && options.record === true;
  const records = level === "project" && options.record !== false && (await canRecordHere());
  const recordPlan = isEvery ? RECORDS_EVERY : records ? RECORDS : undefined;
  const chosen = await choose(options, at, level);
  // Without hooks anywhere, what Seam's own agent does can still be recorded.
  const isAnything = chosen !== undefined && (chosen.length > 0 || recordPlan !== undefined);
  if (!isAnything && (options.agent || options.yes || options.dryRun)) {
    throw nothingToDo(options);
  }
  if (!isAnything) return printLine("Nothing was changed.");
  // Where it is on for all projects, a second time would mean every hook twice.
  const everywhere = chosen.filter(
    (agent) => level === "project" && isEnabled(standingOf(agent, "user", at)),
  );
  // Nothing is asked where a level or an answer was given already.
  const may = {
    ask:
      !options.level &&
      !options.agent &&
      !options.yes &&
      !options.json &&
      !options.dryRun &&
      !shared,
  };
  const wanted = (
    await levelOfEach(
      chosen.filter((agent) => !everywhere.includes(agent)),
      level,
      at,
      may,
    )
  ).map(
    (target): Target => ({
      ...target,
      shared: shared && target.level === "project",
      mcp: options.mcp === true,
    }),
  );
  const { targets, refused, planned } = await plan(wanted, at);
  if (refused.length > 0) process.exitCode = 1;
  if (options.dryRun) return showPlan(planned, level, recordPlan, refused, options);
  if (!options.agent && !options.yes && (planned.length > 0 || chosen.length === 0)) {
    printLine("Seam will");
    printPlan(planned);
    if (recordPlan) printLine(recordPlan);
    if (!(await askYesNo("Go on?", true))) return printLine("Nothing was changed.");
  }
  // First the client: a hook without one would do nothing.
  const client = ensureClient(at.store, { environment: process.env });
  const install = () => enable(targets, at);
  const recorded = records ? await recordHere(install) : undefined;
  const steps = recorded?.done ?? install();
  const record = recorded && { hooks: recorded.hooks };
  if (isEvery) setRecordsEveryRepository(true);
  const kept = at.isProject ? await keepOut(at) : { tracked: [], exposed: [] };
  // No hook of an agent that is only watched would start it.
  if (targets.some(({ agent }) => agent.watcher)) await launchDaemon(daemonPaths(at.store));
  const checked = await Promise.all(
    targets.map(async ({ agent, level: own }) => ({
      agent,
      level: own,
      findings: [
        ...(await checkUp(standingOf(agent, own, at), at)),
        ...(at.isProject ? checkTwice(agent, at) : []),
      ],
    })),
  );
  const findings = checked.flatMap((one) => one.findings);
  if (findings.some((finding) => finding.level === "error")) process.exitCode = 1;
  if (options.json) {
    const agents = checked.map((one) => ({
      agent: one.agent.name,
      findings: one.findings.map(findingAsJson),
    }));
    const skipped = everywhere.map(({ name }) => name);
    const files = stepsAsJson(steps);
    const { error, ...git } = kept;
    return printJson({
      ...{ level, agents, skipped, refused: refused.map(refusedAsJson), files, client, record },
      ...(level === "user" && { recordsEveryRepository: isEvery }),
      git: { ...git, ...(error && { error: error.toJSON() }) },
    });
  }
  for (const { type, name } of everywhere) {
    printLine(
      `${type} is enabled for all your projects already (seam disable --agent ${name} --level user).`,
    );
  }
  for (const one of checked) report(one.agent, one.level, one.findings, steps, at);
  if (chosen.length === 0) {
    printLine(`${paint("dim", "·")} No other agent: what is done with seam run is recorded.`);
  }
  if (record) {
    const own = recorded?.passesOn ? "; those that core.hooksPath names run first" : "";
    printLine(
      `${paint("green", "✓")} ${paint("bold", "Record")}  in this repository, with git hooks${own}`,
    );
  }
  if (isEvery) {
    printLine(
      `${paint("green", "✓")} ${paint("bold", "Record")}  in every repository from the first prompt on; leave one out with seam disable there`,
    );
  }
  for (const one of refused) printLine(`${paint("yellow", "!")} ${refusal(one)}`);
  for (const line of gitLines(kept)) printLine(line);
  if (checked.length > 0 || record || isEvery) {
    printLine(`Next: seam status. Undo: seam disable${level === "user" ? " --level user" : ""}`);
  }
}

const RECORDS = "  record  what agents do in this repository, with git hooks";
const RECORDS_EVERY = "  record  what agents do in every repository, with git hooks there";

/** An agent whose settings here are committed for everybody. */
interface Refused {
  readonly agent: Agent;
  readonly files: readonly string[];
}

interface Plan {
  readonly targets: readonly Target[];
  readonly refused: readonly Refused[];
  readonly planned: readonly Step[];
}

/** What is written for one person must not end up in what everybody gets. */
async function plan(wanted: readonly Target[], at: Here): Promise<Plan> {
  const all = wanted.map((target) => ({ target, steps: planEnable(target, at) }));
  const targets: Target[] = [];
  const refused: Refused[] = [];
  const planned: Step[] = [];
  for (const { target, steps } of all) {
    const { agent, level, shared } = target;
    const isPersonal = level === "project" && !shared;
    const files = isPersonal ? await committedFiles(steps, at) : [];
    if (files.length > 0) refused.push({ agent, files });
    else {
      targets.push(target);
      planned.push(...steps);
    }
  }
  return { targets, refused, planned };
}

const refusedAsJson = ({ agent, files }: Refused) => ({ agent: agent.name, files });

function refusal({ agent, files }: Refused): string {
  const names = files.map((path) => shownPath(path)).join(", ");
  return `${paint("bold", agent.type)} was left out: git tracks ${names}, so what Seam writes would be committed with it.
  For everybody: seam enable --agent ${agent.name} --shared
  For you alone: seam enable --agent ${agent.name} --level user`;
}

function gitLines({ tracked, exposed, error }: KeptOut): string[] {
  const named = (paths: readonly string[]) => paths.map((path) => shownPath(path)).join(" ");
  const lines: string[] = [];
  if (tracked.length > 0) {
    lines.push(
      `${paint("yellow", "!")} git tracks ${named(tracked)}: what Seam wrote there goes into commits.`,
      `  To keep it out from now on, with the file left in place: git rm --cached ${named(tracked)}`,
    );
  }
  if (exposed.length > 0) {
    lines.push(`${paint("yellow", "!")} git add would still take up ${named(exposed)}.`);
    const rule = "A rule of a .gitignore says so (git check-ignore -v shows it).";
    lines.push(`  ${error ? `${error.message}\n  ${error.next}` : rule}`);
  }
  return lines;
}

/** The agents to enable; undefined if the user thought better of it. */
async function choose(options: Options, at: Here, level: Level): Promise<Agent[] | undefined> {
  if (options.agent) return agentsNamed(options.agent);
  const hooked = AGENTS.filter(({ hooks }) => hooks?.installer?.levels.includes(level));
  const found = detectAll(at.place).filter(({ hooks }) => hooks?.installer?.levels.includes(level));
  if (options.yes || options.dryRun) return found;
  needTerminal("--agent <name> or --yes", options.json);
  const question = `Which agents should call Seam ${level === "user" ? "in all projects" : "here"}?`;
  return askWhich(question, hooked, found);
}

function nothingToDo({ agent }: Options): SeamError {
  const names = AGENTS.filter(({ hooks }) => hooks).map(({ name }) => name);
  const why = agent
    ? "Seam's own agent needs no hooks, and there is no repository to record here."
    : "No agent was found here or on the PATH.";
  return usageError(why, `Name one: --agent ${names.join(" | ")}`);
}

function showPlan(
  steps: readonly Step[],
  level: Level,
  record: string | undefined,
  refused: readonly Refused[],
  { json }: Options,
): void {
  if (json) {
    const files = stepsAsJson(steps, true);
    const left = refused.map(refusedAsJson);
    printJson({ level, dryRun: true, files, refused: left, record: record !== undefined });
  } else {
    const isNothing = steps.length === 0 && record === undefined && refused.length === 0;
    printLine(isNothing ? "All of it is in place already." : "Seam would");
    printPlan(steps);
    if (record) printLine(record);
    for (const one of refused) printLine(`${paint("yellow", "!")} ${refusal(one)}`);
  }
}

function report(
  agent: Agent,
  level: Level,
  findings: readonly Finding[],
  steps: readonly Step[],
  at: Here,
): void {
  const plan = { level, place: at.place };
  const hooked = agent.hooks?.installer?.files(plan) ?? [];
  const files = [...hooked, ...(agent.mcp?.files(plan) ?? [])];
  const written = steps.filter(({ name }) => files.includes(name));
  const where = agent.watcher
    ? `is watched in ${shownFolder(at.place.project)} while the daemon runs (at every login: seam daemon install)`
    : written.map(({ name }) => shownPath(name)).join(", ") || "already in place";
  // In place is not the same as running.
  const mark = findings.some(({ stops }) => stops?.all)
    ? paint("yellow", "!")
    : paint("green", "✓");
  printLine(`${mark} ${paint("bold", agent.type)}  ${where}`);
  const { mcp } = standingOf(agent, level, at);
  if (mcp.health === "installed") printLine("  with Seam's MCP server");
  printFindings(findings);
}
