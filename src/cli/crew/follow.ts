import { type FollowLine, followRun, showRun } from "../../crew/index.ts";
import type { DaemonPaths } from "../../daemon/index.ts";
import { lineWidth, paint, printLine } from "../print.ts";
import { clock, oneLine, plainText } from "../record/format.ts";
import { questionLines, statusLines } from "./run-lines.ts";

interface Options {
  readonly json?: boolean | undefined;
  /** Only of this task, with everything its agent says. */
  readonly task?: string | undefined;
  /** Ends with the run. */
  readonly untilOver: boolean;
  /** Only waits for it. */
  readonly isSilent?: boolean;
}

/** Prints what happens in a run, while it happens. True if all went well. */
export async function printFollowed(
  paths: DaemonPaths,
  run: string,
  { json, task, untilOver, isSilent }: Options,
): Promise<boolean> {
  const over = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      // The terminal shows the key itself, and what comes next begins on a line of its own.
      if (signal === "SIGINT" && process.stdout.isTTY && !json) printLine();
      over.abort();
    });
  }
  for await (const line of followRun(paths, run, over.signal)) {
    if (json) printLine(JSON.stringify(line));
    else if (!isSilent && !(await printQuestion(paths, run, line, task)))
      printFollowLine(line, task);
    if (untilOver && isEnd(line) && (await isOver(paths, run))) over.abort();
  }
  const report = await showRun(paths, run);
  if (!json && !isSilent && report.run.endedAt !== undefined) {
    printLine();
    for (const text of statusLines(report)) printLine(text);
  }
  return report.run.state !== "failed";
}

/** Whoever looks on can answer it: the whole question, and how. False: the line is about something else. */
async function printQuestion(
  paths: DaemonPaths,
  run: string,
  line: FollowLine,
  task: string | undefined,
): Promise<boolean> {
  if (line.type !== "event" || line.kind !== "question") return false;
  if (task !== undefined && line.task !== task) return false;
  const { questions } = await showRun(paths, run);
  const asked = questions.find(
    (one) => one.answer === undefined && one.task === line.task && one.title === line.text,
  );
  for (const text of asked ? questionLines(asked) : []) printLine(text);
  return asked !== undefined;
}

/** A run that goes on after it ended once has that end among what happened. */
async function isOver(paths: DaemonPaths, run: string): Promise<boolean> {
  return (await showRun(paths, run)).run.endedAt !== undefined;
}

function isEnd(line: FollowLine): boolean {
  if (line.type !== "event" || line.kind !== "run") return false;
  return ["done", "failed", "cancelled"].includes(line.state ?? "");
}

function printFollowLine(line: FollowLine, task: string | undefined): void {
  if (line.type === "event") {
    if (task !== undefined && line.task !== task) return;
    const time = clock(line.at);
    const isNamed = line.task !== undefined && line.text.startsWith(`${line.task} `);
    const start = isNamed || line.task === undefined ? "" : `${line.task} `;
    const text = oneLine(line.text, lineWidth() - time.length - 2 - start.length);
    printLine(`${paint("dim", time)}  ${paint("bold", start)}${text}`);
    return;
  }
  if (task === undefined || line.attempt.split(".")[1] !== task) return;
  const { event } = line;
  if (event.kind === "text") {
    printLine(BELOW_TIME + oneLine(event.text, lineWidth() - BELOW_TIME.length));
  }
  if (event.kind === "call") printLine(paint("dim", `${BELOW_TIME}• ${plainText(event.tool)}`));
}

const BELOW_TIME = " ".repeat(10);
