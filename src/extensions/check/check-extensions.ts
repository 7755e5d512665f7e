import { Worker } from "node:worker_threads";
import { messageOf, SeamError } from "../../errors/index.ts";
import { builtFile } from "../../settings/index.ts";
import type { Source } from "../find/source.ts";
import { asProblem, type ExtensionReport, emptyReport } from "./report.ts";

export type { ExtensionReport } from "./report.ts";

export interface CheckOptions {
  readonly cwd: string;
  readonly cacheDir?: string | false;
  readonly loadDeadlineMs?: number;
  /** Is called after each extension. */
  readonly onProgress?: (report: ExtensionReport, done: number, total: number) => void;
  /** What extensions print while they load. */
  readonly onOutput?: (text: string) => void;
}

/** What the worker is given, and what it sends back. */
export interface WorkerTask {
  readonly cwd: string;
  readonly sources: readonly Source[];
  readonly cacheDir: string | false;
  readonly loadDeadlineMs: number;
}
export type WorkerMessage = { started: number } | { report: ExtensionReport };

// The worker has its own deadline; this is for one that cannot keep it because it never yields.
const GRACE_MS = 1_000;

/**
 * Loads each extension alone, in a thread that can be killed: one that never yields, exits the
 * process or runs out of memory is reported like any other, and the rest is still checked.
 *
 * @example
 * const { sources } = findExtensions({ cwd: process.cwd() });
 * for (const report of await checkExtensions(sources, { cwd: process.cwd() })) {
 *   console.log(report.name, report.ok, report.events);
 * }
 */
export async function checkExtensions(
  sources: readonly Source[],
  { cwd, cacheDir = false, loadDeadlineMs = 10_000, onProgress, onOutput }: CheckOptions,
): Promise<ExtensionReport[]> {
  const reports: ExtensionReport[] = [];
  const add = (report: ExtensionReport) => {
    reports.push(report);
    onProgress?.(report, reports.length, sources.length);
  };
  while (reports.length < sources.length) {
    const rest = sources.slice(reports.length);
    const task = { cwd, sources: rest, cacheDir, loadDeadlineMs };
    const error = await runWorker(task, add, onOutput);
    const culprit = sources[reports.length];
    // The worker ended before its work was done: the extension it was at is why.
    if (culprit) add({ ...emptyReport(culprit), problems: [asProblem(error(culprit.path))] });
  }
  return reports;
}

type Explain = (path: string) => SeamError;

function runWorker(
  task: WorkerTask,
  add: (report: ExtensionReport) => void,
  onOutput: ((text: string) => void) | undefined,
): Promise<Explain> {
  return new Promise((resolve) => {
    const worker = new Worker(builtFile("bin/check-worker.js"), {
      workerData: task,
      stdout: true,
      stderr: true,
    });
    let timer: NodeJS.Timeout | undefined;
    let why: Explain = (path) => new SeamError("SEAM_EXT_EXITED", { path });
    worker.stdout.on("data", (data: Buffer) => onOutput?.(data.toString("utf8")));
    worker.stderr.on("data", (data: Buffer) => onOutput?.(data.toString("utf8")));
    worker.on("message", (message: WorkerMessage) => {
      clearTimeout(timer);
      if ("report" in message) return add(message.report);
      timer = setTimeout(() => {
        const ms = task.loadDeadlineMs;
        why = (path) => new SeamError("SEAM_EXT_LOAD_TIMEOUT", { path, ms });
        worker.terminate();
      }, task.loadDeadlineMs + GRACE_MS);
    });
    worker.on("error", (thrown) => {
      why = (path) => new SeamError("SEAM_EXT_FACTORY", { path, detail: messageOf(thrown) });
    });
    worker.on("exit", () => {
      clearTimeout(timer);
      resolve(why);
    });
  });
}
