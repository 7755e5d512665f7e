import { parentPort, workerData } from "node:worker_threads";
import { loadExtensions } from "../load/load-extensions.ts";
import type { WorkerMessage, WorkerTask } from "./check-extensions.ts";
import { reportOf } from "./report.ts";

const { cwd, sources, cacheDir, loadDeadlineMs } = workerData as WorkerTask;
const send = (message: WorkerMessage) => parentPort?.postMessage(message);

for (const [index, source] of sources.entries()) {
  send({ started: index });
  const set = await loadExtensions({ cwd, sources: [source], cacheDir, loadDeadlineMs });
  send({ report: reportOf(source, set) });
  set.dispose();
}
// Whatever an extension left running must not keep the check from ending.
process.exit(0);
