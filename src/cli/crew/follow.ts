import { type FollowLine, followRun, showRun } from "../../crew/index.ts";
import type { DaemonPaths } from "../../daemon/index.ts";
import { paint, printLine } from "../print.ts";
import { clock, oneLine, plainText } from "../record/format.ts";
import { statusLines } from "./run-lines.ts";

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
    process.once(signal, () => over.abort());
  }
  for await (const line of followRun(paths, run, over.signal)) {
    if (json) printLine(JSON.stringify(line));
    else if (!isSilent) printFollowLine(line, task);
    if (untilOver && isEnd(line)) over.abort();
  }
  const report = await showRun(paths, run);
  if (!json && !isSilent && report.run.endedAt !== undefined) {
    printLine();
    for (const text of statusLines(report)) printLine(text);
  }
  return report.run.state !== "failed";
}

function isEnd(line: FollowLine): boolean {
  if (line.type !== "event" || line.kind !== "run") return false;
  return ["done", "failed", "cancelled"].includes(line.state ?? "");
}

function printFollowLine(line: FollowLine, task: string | undefined): void {
  if (line.type === "event") {
    if (task !== undefined && line.task !== task) return;
    const where = line.task === undefined ? "" : `${paint("bold", line.task)} `;
    const text = oneLine(plainText(line.text));
    const shown = line.task !== undefined && text.startsWith(`${line.task} `);
    printLine(`${paint("dim", clock(line.at))}  ${shown ? "" : where}${text}`);
    return;
  }
  if (task === undefined || line.attempt.split(".")[1] !== task) return;
  if (line.event.kind === "text") printLine(`          ${oneLine(plainText(line.event.text))}`);
  if (line.event.kind === "call")
    printLine(paint("dim", `          • ${plainText(line.event.tool)}`));
}
