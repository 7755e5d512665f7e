import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import {
  allowMore,
  answerCrew,
  cancelRun,
  cleanRun,
  landRun,
  listRuns,
  planRun,
  type RunReport,
  type RunRequest,
  resumeRun,
  retryTask,
  showRun,
  startRun,
  undoLand,
} from "../../crew/index.ts";
import { daemonPaths } from "../../daemon/index.ts";
import { SeamError, usageError } from "../../errors/index.ts";
import { headOf, openRepo } from "../../git/index.ts";
import { isAsked } from "../ask/terminal.ts";
import { askYesNo } from "../ask/yes-no.ts";
import { printFollowed } from "../crew/follow.ts";
import {
  keptLines,
  landLines,
  listLines,
  outcomeLines,
  planLines,
  reportLines,
  statusLines,
  undoLines,
} from "../crew/run-lines.ts";
import { amount, wholeNumber } from "../number-arguments.ts";
import { paint, printJson, printLine } from "../print.ts";
import { plain, plural } from "../record/format.ts";
import { printLong } from "../record/pager.ts";
import { addCrewCheck } from "./crew-check.ts";
import { addCrewDemo } from "./crew-demo.ts";
import { addCrewTalk } from "./crew-talk.ts";
import { addCrewWorker } from "./crew-worker.ts";
import { addCrewWorkflows } from "./crew-workflows.ts";

interface Json {
  json?: boolean;
}

interface RunOptions extends Json {
  plan?: boolean;
  detach?: boolean;
  agent?: string[];
  team?: string;
  verify?: string[];
  agree?: boolean;
  pool?: string;
  atOnce?: number;
  dollars?: number;
  tokens?: number;
  minutes?: number;
}

export function addCrew(program: Command): void {
  const crew = program.command("crew").addHelpText(
    "after",
    `
A crew is several agents that work on one goal: each in a worktree of its own.
Seam checks their work by running commands itself, and merges it into a branch of
the run. Your own branch is touched only by seam crew land. A run goes on without
the terminal that started it, and survives a restart of the machine. Where a run
is asked for, its id, the beginning of it, or "last" will do.

Examples:
  seam crew demo
  seam crew run fix-bug "Dates before 1970 are shown wrong" --agent claude-code
  seam crew status -f
  seam crew land last`,
  );
  addCrewDemo(crew);
  addCrewWorkflows(crew);
  addCrewCheck(crew);
  crew
    .command("run <workflow> <goal...>")
    .description("start a crew; follows it until it is over")
    .option("--plan", "show what would be done, and start nothing")
    .option("-d, --detach", "do not follow it")
    .option("--agent <name...>", "agents for the tasks that name none: claude-code, codex:gpt-5")
    .option("--team <name>", "the team whose roles are meant")
    .option("--verify <command...>", "commands that prove the result; Seam runs them itself")
    .option("--agree", "agree to how agents are started; you are asked once for each")
    .option("--pool <name>", "let the workers of this pool do it")
    .option("--at-once <count>", "how many agents at the same time", wholeNumber)
    .option("--dollars <amount>", "the most the run may cost", amount)
    .option("--tokens <amount>", "the most tokens the run may use", amount)
    .option("--minutes <amount>", "the most minutes all its agents may work together", amount)
    .option("--json", "print JSON; while it is followed, one object a line")
    .action(run);
  crew
    .command("status [run]")
    .description("show the tasks of a run, of the newest one unless it is named")
    .option("-f, --follow", "stay, and show what happens")
    .option("--json", "print JSON; with --follow one object a line")
    .action(status);
  crew
    .command("list")
    .description("list all runs, newest first")
    .option("--json", "print JSON")
    .action(list);
  crew
    .command("show <run>")
    .description("show everything about a run: tasks, attempts, checks, results")
    .option("--json", "print JSON")
    .action(show);
  crew
    .command("attach <run> <task>")
    .description("watch the agent of one task while it works")
    .option("--json", "print one JSON object a line")
    .action(attach);
  crew
    .command("cancel <run>")
    .description("end a run and all its agents; what they did is kept")
    .option("--json", "print JSON")
    .action(cancel);
  crew
    .command("resume <run>")
    .description("go on with a run that was cancelled or failed")
    .option("--json", "print JSON")
    .action((id: string, options: Json) => again(options, () => resumeRun(daemonPaths(), id)));
  crew
    .command("retry <run> <task>")
    .description("let one task begin again, and what was skipped because of it")
    .option("--json", "print JSON")
    .action((id: string, task: string, options: Json) =>
      again(options, () => retryTask(daemonPaths(), id, task)),
    );
  crew
    .command("answer <question> <answer...>")
    .description("answer a question of a crew; seam inbox answer does it too")
    .option("--json", "print JSON")
    .action(answer);
  crew
    .command("budget <run>")
    .description("let a run spend more, or one task of it; what waits for it goes on")
    .option("--task <id>", "for this task alone, where its own budget is used up")
    .option("--day", "for all runs of today, where the budget of the day is used up")
    .option("--dollars <amount>", "this many more dollars", amount)
    .option("--tokens <count>", "this many more tokens", amount)
    .option("--minutes <count>", "this many more minutes of agents' work", amount)
    .option("--turns <count>", "this many more turns", amount)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  seam crew budget last --dollars 5\n  seam crew budget last --task fix --tokens 200000",
    )
    .action(budget);
  crew
    .command("land [run] [branch]")
    .description("bring the result of a run to your branch: the one that is checked out")
    .option("--undo", "take back the last landing on the branch that is checked out")
    .option("--json", "print JSON")
    .action(land);
  crew
    .command("export <run> [file]")
    .description("write everything about a run into one JSON file")
    .action(exportRun);
  crew
    .command("clean [run]")
    .description(
      "remove what is left of a run, or of all that are over; never work that is nowhere else",
    )
    .option("--json", "print JSON")
    .action(clean);
  addCrewWorker(crew);
  addCrewTalk(crew);
}

async function run(workflow: string, goal: string[], options: RunOptions): Promise<void> {
  const paths = daemonPaths();
  const { plan, detach, json } = options;
  const request = requestOf(workflow, goal.join(" "), options);
  if (plan) {
    const planned = await planRun(paths, request);
    if (json) return printJson(plain(planned));
    return printLong(planLines(planned));
  }
  const { run: started, warnings } = await startAgreed(paths, request, options);
  if (json && detach) return printJson(plain({ run: started, warnings }));
  if (!json) {
    for (const warning of warnings) printLine(paint("yellow", plain(warning)));
    printLine(`${paint("bold", started.id)}  ${plain(started.goal)}`);
  }
  if (detach) {
    printLine(paint("dim", `It runs without this terminal. seam crew status ${started.id} -f`));
    return;
  }
  if (!json) printLine(paint("dim", "Ctrl+C leaves it; it goes on."));
  const isGood = await printFollowed(paths, started.id, { json, untilOver: true });
  if (!isGood) process.exitCode = 1;
  if (!json) printOutcome(await showRun(paths, started.id));
}

/** It takes back what landed on the branch that is checked out, which may be another one by now. */
const UNDO = "seam crew land --undo";

/** What the last tasks found out, and how to take what was merged. */
function printOutcome(report: RunReport): void {
  const { run: now, tasks } = report;
  for (const line of outcomeLines(report)) printLine(line);
  // Who only asked for a report has nothing to take.
  if (!tasks.some(({ mergedAs }) => mergedAs !== undefined)) return;
  printLine();
  printLine(`See it: git log -p ${now.base.slice(0, 10)}..${now.target}`);
  const { id, state, landed, landsOn } = now;
  if (landed) printLine(`It landed on ${landsOn}. Take that back on ${landsOn}: ${UNDO}`);
  else if (state === "done") printLine(`Take it: seam crew land ${id}`);
}

/** Asks for the user's word where it is missing and somebody can be asked. */
async function startAgreed(
  paths: ReturnType<typeof daemonPaths>,
  request: RunRequest,
  { json }: RunOptions,
) {
  try {
    return await startRun(paths, request);
  } catch (error) {
    const isOpen = error instanceof SeamError && error.code === "SEAM_CREW_CONSENT";
    if (!isOpen || json || !isAsked()) throw error;
    printLine(error.message);
    if (!(await askYesNo("Do you agree?", false))) throw error;
    return startRun(paths, { ...request, agrees: true });
  }
}

interface BudgetOptions extends Json {
  task?: string;
  day?: boolean;
  dollars?: number;
  tokens?: number;
  minutes?: number;
  turns?: number;
}

async function budget(id: string, options: BudgetOptions): Promise<void> {
  const { task, day, json, ...more } = options;
  if (Object.keys(more).length === 0) {
    throw usageError(
      "How much more is missing.",
      "Say it with --dollars, --tokens, --minutes or --turns, for instance --dollars 5.",
    );
  }
  const of = day ? "day" : task === undefined ? "run" : "task";
  const named = task === undefined ? {} : { task };
  const now = await allowMore(daemonPaths(), id, { of, more, ...named });
  if (json) return printJson(plain({ run: now }));
  printLine(`It may spend more. Follow it: seam crew status ${now.id} -f`);
}

function requestOf(workflow: string, goal: string, options: RunOptions): RunRequest {
  const { agent, team, verify, agree, pool, atOnce, dollars, tokens, minutes } = options;
  return {
    workflow,
    goal,
    cwd: process.cwd(),
    ...(agent && { agents: agent }),
    ...(team !== undefined && { team }),
    ...(verify && { verify }),
    ...(agree && { agrees: true }),
    ...(pool !== undefined && { pool }),
    ...(atOnce !== undefined && { atOnce }),
    budget: {
      ...(dollars !== undefined && { dollars }),
      ...(tokens !== undefined && { tokens }),
      ...(minutes !== undefined && { minutes }),
    },
  };
}

async function status(id = "last", { follow, json }: Json & { follow?: boolean }): Promise<void> {
  const paths = daemonPaths();
  const report = await showRun(paths, id);
  if (json && !follow) return printJson(plain(report));
  if (!json) for (const line of statusLines(report)) printLine(line);
  if (!follow) return;
  const { id: run, endedAt } = report.run;
  if (endedAt === undefined) await printFollowed(paths, run, { json, untilOver: true });
  const after = await showRun(paths, run);
  if (!json && after.run.endedAt !== undefined) printOutcome(after);
}

async function list({ json }: Json): Promise<void> {
  const runs = await listRuns(daemonPaths());
  if (json) return printJson(plain({ runs }));
  if (runs.length === 0) return printLine("There are no runs. Start one: seam crew demo");
  return printLong(listLines(runs));
}

async function show(id: string, { json }: Json): Promise<void> {
  const report = await showRun(daemonPaths(), id);
  if (json) return printJson(plain(report));
  return printLong(reportLines(report));
}

async function attach(id: string, task: string, { json }: Json): Promise<void> {
  const paths = daemonPaths();
  const { run: found, tasks } = await showRun(paths, id);
  if (!tasks.some((one) => one.id === task)) {
    const where = `seam crew status ${found.id}`;
    throw new SeamError("SEAM_CREW_UNKNOWN", { what: "task", id: task, where });
  }
  await printFollowed(paths, found.id, { json, task, untilOver: true });
}

async function cancel(id: string, { json }: Json): Promise<void> {
  const cancelled = await cancelRun(daemonPaths(), id);
  if (json) return printJson(plain(cancelled));
  printLine(`Cancelled. What was done is on the branches seam/tasks/${cancelled.id}/…`);
  printLine(paint("dim", `To go on with it: seam crew resume ${cancelled.id}`));
}

async function again({ json }: Json, work: () => Promise<{ id: string }>): Promise<void> {
  const found = await work();
  if (json) return printJson(plain(found));
  printLine(`It goes on. seam crew status ${found.id} -f`);
}

async function answer(id: string, words: string[], { json }: Json): Promise<void> {
  const question = await answerCrew(daemonPaths(), id, words.join(" "));
  if (json) return printJson(plain(question));
  printLine("Answered.");
}

async function land(
  id = "last",
  branch: string | undefined,
  { json, undo }: Json & { undo?: boolean },
): Promise<void> {
  if (undo) return undoLanding(json);
  const result = await landRun(daemonPaths(), id, branch);
  if (result.kind === "conflict" || result.kind === "held") process.exitCode = 1;
  if (json) return printJson(plain(result));
  for (const line of landLines(result)) printLine(line);
  const { run: now } = await showRun(daemonPaths(), id);
  if (result.kind === "landed" && now.endedAt === undefined) {
    printLine("The run is not over: this is what it merged so far. Land it again when it is done.");
  }
}

async function undoLanding(json: boolean | undefined): Promise<void> {
  const cwd = process.cwd();
  const repo = await openRepo(cwd);
  const { branch } = repo ? await headOf(repo) : {};
  if (branch === undefined) {
    throw usageError(
      "No branch is checked out here, so there is nothing to take back.",
      "Check out the branch that the work landed on: git switch <branch>",
    );
  }
  const result = await undoLand(cwd, branch);
  if (result.kind !== "undone") process.exitCode = 1;
  if (json) return printJson(plain(result));
  for (const line of undoLines(result)) printLine(line);
}

async function exportRun(id: string, file: string | undefined): Promise<void> {
  const report = plain(await showRun(daemonPaths(), id));
  if (file === undefined) return printJson(report);
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  printLine(`Written to ${file}.`);
}

async function clean(id: string | undefined, { json }: Json): Promise<void> {
  const paths = daemonPaths();
  const over = (await listRuns(paths)).filter(({ endedAt }) => endedAt !== undefined);
  const ids = id === undefined ? over.map((one) => one.id) : [id];
  const cleaned = [];
  for (const one of ids) cleaned.push(await cleanRun(paths, one));
  if (json) return printJson(plain({ cleaned }));
  const gone = cleaned.filter(({ kept }) => kept.length === 0);
  printLine(`${plural(gone.length, "run")} removed.`);
  for (const one of cleaned.filter(({ kept }) => kept.length > 0)) {
    for (const line of keptLines(one)) printLine(line);
  }
}
