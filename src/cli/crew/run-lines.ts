import type { Attempt, Run, RunReport, Task } from "../../crew/index.ts";
import { paint } from "../print.ts";
import { agentType, count, oneLine, plainText, when } from "../record/format.ts";
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
  const head = `${paint("bold", run.id)}  ${stateText(run.state)}  ${oneLine(plainText(run.goal))}`;
  const rows = tasks.map((task) => {
    const own = attempts.filter((attempt) => attempt.task === task.id);
    return [
      `  ${taskMark(task.state)}`,
      task.id,
      task.state,
      agentsText(own),
      useText(own),
      plainText(task.reason ?? ""),
    ];
  });
  const open = questions.filter(({ answer }) => answer === undefined);
  const reason = run.reason ? [`  ${plainText(run.reason)}`] : [];
  const asks = open.flatMap(({ id, title }) => [
    `  ${paint("yellow", "?")} ${plainText(title)}`,
    `    seam crew answer ${id} <answer>`,
  ]);
  return [head, ...reason, ...table(rows), ...asks];
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
  const { run, tasks, attempts, proofs } = report;
  const lines = [
    ...statusLines(report),
    "",
    `  workflow    ${run.workflow.name}`,
    `  repository  ${run.repository}`,
    `  branch      ${run.target}`,
    `  started     ${when(run.startedAt)}`,
    ...(run.endedAt === undefined ? [] : [`  ended       ${when(run.endedAt)}`]),
  ];
  for (const task of tasks) {
    lines.push("", `${taskMark(task.state)} ${paint("bold", task.id)}  ${plainText(task.title)}`);
    if (task.mergedAs !== undefined) lines.push(`  merged as ${task.mergedAs.slice(0, 12)}`);
    for (const attempt of attempts.filter((one) => one.task === task.id)) {
      lines.push(`  ${attemptText(attempt)}`);
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
    const result = resultText(task.result);
    if (result !== undefined) lines.push(`  ${oneLine(result)}`);
  }
  return lines;
}

function attemptText({ number, agent, model, session, isReview, end }: Attempt): string {
  const who = model === undefined ? agentType(agent) : `${agentType(agent)} (${plainText(model)})`;
  const what = isReview ? "review by" : "";
  const how =
    end === undefined ? "at work" : "reason" in end ? `${end.kind}: ${end.reason}` : end.kind;
  const where = session === undefined ? "" : `, session ${session}`;
  return oneLine(plainText(`${number}. ${what} ${who}${where}: ${how}`.replace(/ +/g, " ")));
}

function resultText(result: unknown): string | undefined {
  if (result === undefined) return undefined;
  return plainText(typeof result === "string" ? result : JSON.stringify(result));
}
