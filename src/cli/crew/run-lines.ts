import type { LandResult, Planned, UndoResult } from "../../crew/index.ts";
import {
  type Attempt,
  type CrewMessage,
  type CrewQuestion,
  QUESTION_KINDS,
  type Run,
  type RunReport,
  type Task,
} from "../../crew/index.ts";
import { visibleWidth } from "../../terminal/index.ts";
import { lineWidth, paint } from "../print.ts";
import { agentType, count, oneLine, plainText, when } from "../record/format.ts";
import { hanging, indented } from "../record/lines.ts";
import { table } from "../table.ts";

type Style = Parameters<typeof paint>[0];

const MARKS: Readonly<Record<Task["state"], readonly [mark: string, style: Style]>> = {
  queued: ["·", "dim"],
  waiting: ["?", "yellow"],
  running: ["▸", "cyan"],
  proving: ["▸", "cyan"],
  merging: ["▸", "cyan"],
  done: ["✓", "green"],
  failed: ["✗", "red"],
  skipped: ["-", "dim"],
  cancelled: ["-", "dim"],
};

const RUN_STYLES: Readonly<Record<Run["state"], Style>> = {
  running: "cyan",
  waiting: "yellow",
  done: "green",
  failed: "red",
  cancelled: "dim",
};

export function stateText(state: Run["state"]): string {
  return paint(RUN_STYLES[state], state);
}

export function taskMark(state: Task["state"]): string {
  const [mark, style] = MARKS[state];
  return paint(style, mark);
}

/** One line for each run, newest first. */
export function listLines(runs: readonly Run[]): string[] {
  return table(
    runs.map(({ id, state, startedAt, workflow, goal }) => [
      paint("bold", id),
      stateText(state),
      when(startedAt),
      workflow.name,
      oneLine(plainText(goal)),
    ]),
  );
}

/** A run with its tasks: what `seam crew status` shows. */
export function statusLines({ run, tasks, attempts, questions }: RunReport): string[] {
  const start = `${paint("bold", run.id)}  ${stateText(run.state)}  `;
  const head = start + oneLine(plainText(run.goal), lineWidth() - visibleWidth(start));
  const open = questions.filter(({ answer }) => answer === undefined);
  const isAsked = (reason: string | undefined) => open.some(({ title }) => title === reason);
  const rows = familiesOf(tasks).map((task) => {
    const own = attempts.filter((attempt) => attempt.task === task.id);
    return [
      `  ${taskMark(task.state)}`,
      task.id,
      task.state,
      agentsText(own),
      useText(own),
      isAsked(task.reason) ? "asks you" : plainText(task.reason ?? ""),
    ];
  });
  // What a question says in full need not be said as a reason too.
  const isSaid = run.reason === undefined || run.reason === "" || isAsked(run.reason);
  const reason = isSaid ? [] : indented(plainText(run.reason ?? "").split("\n"), "  ");
  const asks = open.flatMap(questionLines);
  return [head, ...reason, ...table(rows), ...asks];
}

/** Tasks of a list or a plan stand below the task that brought them in. */
function familiesOf(tasks: readonly Task[]): readonly Task[] {
  const isChild = ({ group }: Task) => tasks.some(({ id }) => id === group);
  const below = (parent: Task): readonly Task[] => [
    parent,
    ...tasks.filter((task) => task.group === parent.id && task !== parent).flatMap(below),
  ];
  return tasks.filter((task) => !isChild(task)).flatMap(below);
}

/** A question that waits, whole, and how to answer it. */
export function questionLines({ id, title, message, kind }: CrewQuestion): string[] {
  const words = QUESTION_KINDS[kind].map((word) => (word.includes(" ") ? `"${word}"` : word));
  const text = plainText(message).split("\n");
  return [
    ...hanging(`  ${paint("yellow", "?")} ${plainText(title)}`),
    ...indented(text, "    "),
    paint("dim", `    seam crew answer ${id} ${words.join(" | ") || "<answer>"}`),
  ];
}

function agentsText(attempts: readonly Attempt[]): string {
  const last = attempts.at(-1);
  if (!last) return "";
  const times = attempts.length > 1 ? ` ×${attempts.length}` : "";
  return `${agentType(last.agent)}${times}`;
}

function useText(attempts: readonly Attempt[]): string {
  const tokens = attempts.reduce((sum, { use }) => sum + use.tokens, 0);
  const dollars = attempts.reduce((sum, { use }) => sum + (use.dollars ?? 0), 0);
  const cost = dollars > 0 ? `$${dollars.toFixed(2)}` : "";
  return [tokens > 0 ? `${count(tokens)} tokens` : "", cost].filter(Boolean).join(", ");
}

/** Everything about a run: what `seam crew show` prints. */
export function reportLines(report: RunReport): string[] {
  const { run, tasks, attempts, proofs, messages } = report;
  const lines = [
    ...statusLines(report),
    "",
    `  workflow    ${run.workflow.name}`,
    `  repository  ${run.repository}`,
    `  branch      ${run.target}`,
    `  started     ${when(run.startedAt)}`,
    ...(run.endedAt === undefined ? [] : [`  ended       ${when(run.endedAt)}`]),
  ];
  for (const task of familiesOf(tasks)) {
    const title = task.title === task.id ? "" : `  ${plainText(task.title)}`;
    lines.push("", `${taskMark(task.state)} ${paint("bold", task.id)}${title}`);
    if (task.mergedAs !== undefined) lines.push(`  merged as ${task.mergedAs.slice(0, 12)}`);
    for (const attempt of attempts.filter((one) => one.task === task.id)) {
      lines.push(...attemptLines(attempt, run.pool !== undefined));
    }
    for (const { place, passed, checks } of proofs.filter((one) => one.task === task.id)) {
      const where = place === "task" ? "on its own work" : "on the merged candidate";
      for (const { command, exitCode, reason } of checks) {
        const how = reason ?? `exit code ${exitCode}`;
        lines.push(
          `  ${taskMark(passed ? "done" : "failed")} ${plainText(command)} ${where}: ${how}`,
        );
      }
    }
    lines.push(...resultLines(task).map((line) => `  ${line}`));
  }
  if (messages.length > 0) lines.push("", paint("bold", "Messages"));
  lines.push(...messages.map((message) => `  ${messageText(message)}`));
  return lines;
}

/**
 * How it ended stands first and whole: names of models and sessions can be long. `isFar`: several
 * machines may have been at it.
 */
function attemptLines(attempt: Attempt, isFar: boolean): string[] {
  const { number, agent, model, session, isReview, end, told = "" } = attempt;
  const what = isReview ? "review by " : "";
  const how =
    end === undefined ? "at work" : "reason" in end ? `${end.kind}: ${end.reason}` : end.kind;
  const where = [session === undefined ? "" : `session ${session}`, model ?? ""].filter(Boolean);
  const machine = isFar ? ` on ${attempt.worker}` : "";
  // Why it was tried again: the agent of the attempt before may have said that all is well.
  const [why = ""] = plainText(told).split("\n").filter(Boolean);
  const [first, ...rest] = plainText(
    `${number}. ${what}${agentType(agent)}${machine} ${how}`,
  ).split("\n");
  return [
    `  ${first}`,
    ...rest.map((line) => `     ${line}`),
    ...(why === "" ? [] : [`     ${oneLine(`told: ${why}`)}`]),
    ...(where.length > 0 ? [paint("dim", `     ${oneLine(where.join(", "))}`)] : []),
  ];
}

function messageText({ from, to, text, deliveredAt }: CrewMessage): string {
  const unheard = deliveredAt === undefined && to !== "user" ? " (not heard yet)" : "";
  return oneLine(`${from} to ${to}${unheard}: ${text}`);
}

/** What a task has to say, whole: a report that is cut short is no report. */
export function resultLines({ result }: Pick<Task, "result">): string[] {
  if (result === undefined) return [];
  const short = typeof result === "string" ? result : JSON.stringify(result);
  const isShort = typeof result === "string" || short.length <= lineWidth() - 4;
  return plainText(isShort ? short : JSON.stringify(result, null, 2))
    .trimEnd()
    .split("\n");
}

/** What a run came to: the results of the tasks that no other one builds on. */
export function outcomeLines({ tasks }: Pick<RunReport, "tasks">): string[] {
  const isBuiltOn = ({ id }: Task) =>
    tasks.some((task) => task.dependsOn.includes(id) && task.state === "done");
  const last = tasks.filter(
    (task) => task.state === "done" && task.mergedAs === undefined && !isBuiltOn(task),
  );
  return last.flatMap((task) => {
    const lines = resultLines(task);
    return lines.length === 0 ? [] : ["", `${paint("bold", task.id)}:`, ...lines];
  });
}

type Spec = Planned["workflow"]["tasks"][number];

/** What a run would begin with. */
export function planLines({ workflow, goal, agents, warnings }: Planned): string[] {
  const who = (id: string) =>
    (agents[id] ?? []).map(({ agent }) => agentType(agent)).join(", or ") || "no agent";
  const lost = workflow.tasks.map(({ id }) => id).filter((id) => (agents[id] ?? []).length === 0);
  const rows = workflow.tasks.map((task) => [
    `  ${paint("bold", task.id)}`,
    task.role,
    who(task.id),
    task.dependsOn.length > 0 ? `after ${task.dependsOn.join(", ")}` : "at once",
    notesOn(task),
  ]);
  return [
    `${paint("bold", workflow.name)}  ${plainText(workflow.description)}`,
    `  goal: ${oneLine(plainText(goal))}`,
    ...table(rows),
    ...workflow.verify.map((command) => `  before each merge: ${plainText(command)}`),
    ...warnings.map((warning) => paint("yellow", plainText(warning))),
    ...(lost.length > 0 ? [paint("yellow", `${NO_AGENT} ${lost.join(", ")}.`)] : []),
    paint("dim", "Nothing was started. Leave --plan out to start it."),
  ];
}

const NO_AGENT = "Before it can start, say with --agent who does";

/** What is special about a task. */
function notesOn({ id, title, when, forEach, loop, plans, approve, verify }: Spec): string {
  return [
    ...(title === id ? [] : [plainText(title)]),
    ...(when ? ["only if its condition holds"] : []),
    ...(forEach === undefined ? [] : ["once for each item of a list"]),
    ...(loop ? [`repeats from ${loop.backTo}, at most ${loop.times} more times`] : []),
    ...(plans ? ["adds tasks to the run"] : []),
    ...(approve ? ["asks you first"] : []),
    ...verify.map((command) => `checked with ${plainText(command)}`),
  ].join("; ");
}

/** What became of the result of a run on the user's branch. */
export function landLines(result: LandResult): string[] {
  switch (result.kind) {
    case "landed":
      return [
        `${result.branch} is now at ${result.after.slice(0, 12)}.`,
        "To take it back: seam crew land --undo",
      ];
    case "contained":
      return [`${result.branch} has all of it already.`];
    case "conflict":
      return [
        `It conflicts with what is on your branch: ${plainText(result.files.join(", "))}`,
        result.next,
      ];
    case "held":
      return [plainText(result.reason), result.next];
  }
}

/** What clean has left of a run, and what can be done about it. */
export function keptLines({ run, kept }: { run: string; kept: readonly string[] }): string[] {
  const names = plainText(kept.join(" "));
  const has = kept.length === 1 ? "has" : "have";
  // What a task did not get merged is nothing that could land.
  const open = kept.filter((name) => name.startsWith("seam/tasks/"));
  const ways = [
    ...(open.length < kept.length ? [`Take it: seam crew land ${run}`] : []),
    ...(open.length > 0 ? [`Go on with it: seam crew resume ${run}`] : []),
    `Drop it: git branch -D ${names}`,
  ];
  return [
    `${run} is kept: ${names} ${has} work that is nowhere else.`,
    ...ways.map((way) => paint("dim", `  ${way}`)),
  ];
}

/** What became of taking a landing back. */
export function undoLines(result: UndoResult): string[] {
  switch (result.kind) {
    case "undone":
      return [`${result.branch} is at ${result.at.slice(0, 12)} again.`];
    case "nothing":
      return [plainText(result.reason)];
    case "held":
      return [plainText(result.reason), result.next];
  }
}
