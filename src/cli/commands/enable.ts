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
import { ensureClient } from "../../daemon/index.ts";
import { SeamError } from "../../errors/index.ts";
import { askYesNo } from "../ask/yes-no.ts";
import { agentsNamed, askWhich, needTerminal } from "../enable/choose-agents.ts";
import { type Here, here, levelFor } from "../enable/here.ts";
import { levelOfEach } from "../enable/level-of-each.ts";
import { notIgnored } from "../enable/not-ignored.ts";
import { findingAsJson, printFindings } from "../enable/print-findings.ts";
import { printPlan, stepsAsJson } from "../enable/print-steps.ts";
import { canRecordHere, recordHere } from "../enable/record-here.ts";
import { paint, printJson, printLine } from "../print.ts";
import { shownPath } from "../shown-path.ts";

interface Options {
  agent?: string[];
  level?: string;
  shared?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  record: boolean;
  json?: boolean;
}

export function addEnable(program: Command): void {
  program
    .command("enable")
    .description("let your coding agents call Seam")
    .option("-a, --agent <name...>", "these agents, without being asked")
    .option("-l, --level <level>", "project: here; user: in all your projects")
    .option("--shared", "into the settings that are committed, where an agent has others too")
    .option("-y, --yes", "all agents that are found, without being asked")
    .option("--dry-run", "show what would be written, change nothing")
    .option("--no-record", "do not record in this repository what agents do")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Adds Seam's hooks to the agents' own settings and keeps all else in them.
In a project that is the project level, elsewhere the user level.
In a repository what agents do is recorded from now on, under refs/seam: it is
never pushed unless you say so (seam sync).
Undo, to the byte: seam disable

Examples:
  seam enable
  seam enable --agent claude-code codex
  seam enable --level user --yes
  seam enable --dry-run --yes`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  const at = here();
  const level = levelFor(options.level, at);
  const { shared = false } = options;
  if (shared && level === "user") {
    const detail = "--shared is for a project: settings at user level are yours alone.";
    throw new SeamError("SEAM_USAGE", { detail });
  }
  const records = options.record && (await canRecordHere());
  const chosen = await choose(options, at, level);
  // Without hooks anywhere, what Seam's own agent does can still be recorded.
  const isAnything = chosen !== undefined && (chosen.length > 0 || records);
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
  const targets = (
    await levelOfEach(
      chosen.filter((agent) => !everywhere.includes(agent)),
      level,
      at,
      may,
    )
  ).map((target): Target => ({ ...target, shared: shared && target.level === "project" }));
  const planned = targets.flatMap((target) => planEnable(target, at));
  if (options.dryRun) return showPlan(planned, level, records, options);
  if (!options.agent && !options.yes && (planned.length > 0 || chosen.length === 0)) {
    printLine("Seam will");
    printPlan(planned);
    if (records) printLine(RECORDS);
    if (!(await askYesNo("Go on?", true))) return printLine("Nothing was changed.");
  }
  // First the client: a hook without one would do nothing.
  const client = ensureClient(at.store);
  const steps = enable(targets, at);
  const record = records ? await recordHere() : undefined;
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
    return printJson({ level, agents, skipped, files: stepsAsJson(steps), client, record });
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
    printLine(
      `${paint("green", "✓")} ${paint("bold", "Record")}  in this repository, with git hooks`,
    );
  }
  const unignored = await notIgnored(steps, at, shared);
  if (unignored.length > 0) {
    printLine(
      `${paint("dim", "·")} git does not ignore ${unignored.map((path) => shownPath(path)).join(", ")}: commit it for all, or leave it out.`,
    );
  }
  if (checked.length > 0 || record) printLine("Next: seam status. Undo: seam disable");
}

const RECORDS = "  record  what agents do in this repository, with git hooks";

/** The agents to enable; undefined if the user thought better of it. */
async function choose(options: Options, at: Here, level: Level): Promise<Agent[] | undefined> {
  if (options.agent) return agentsNamed(options.agent);
  const hooked = AGENTS.filter(({ hooks }) => hooks);
  const found = detectAll(at.place).filter(({ hooks }) => hooks);
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
  const detail = `${why} Name one: --agent ${names.join(" | ")}`;
  return new SeamError("SEAM_USAGE", { detail });
}

function showPlan(steps: readonly Step[], level: Level, records: boolean, { json }: Options): void {
  if (json) {
    printJson({ level, dryRun: true, files: stepsAsJson(steps, true), record: records });
  } else {
    const isNothing = steps.length === 0 && !records;
    printLine(isNothing ? "All of it is in place already." : "Seam would");
    printPlan(steps);
    if (records) printLine(RECORDS);
  }
}

function report(
  agent: Agent,
  level: Level,
  findings: readonly Finding[],
  steps: readonly Step[],
  at: Here,
): void {
  const files = agent.hooks?.installer.files({ level, place: at.place }) ?? [];
  const written = steps.filter(({ name }) => files.includes(name));
  const where = written.map(({ name }) => shownPath(name)).join(", ") || "already in place";
  // In place is not the same as running.
  const mark = findings.some(({ stops }) => stops?.all)
    ? paint("yellow", "!")
    : paint("green", "✓");
  printLine(`${mark} ${paint("bold", agent.type)}  ${where}`);
  printFindings(findings);
}
