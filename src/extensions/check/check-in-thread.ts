import { parentPort, workerData } from "node:worker_threads";
import { keepProcess } from "../keep-process.ts";
import type { WholeModules } from "../load/from-file.ts";
import { keepNativeLibraries } from "../load/keep-native-libraries.ts";
import { loadExtensions } from "../load/load-extensions.ts";
import type { WorkerMessage, WorkerTask } from "./check-extensions.ts";
import { reportOf } from "./report.ts";

/** What a thread of `checkExtensions` does: loads one extension after the other, and ends. */
export async function checkInThread(modules: WholeModules): Promise<never> {
  const { cwd, sources, cacheDir, loadDeadlineMs } = workerData as WorkerTask;
  keepNativeLibraries();
  keepProcess();
  const send = (message: WorkerMessage) => parentPort?.postMessage(message);
  for (const [index, source] of sources.entries()) {
    send({ started: index });
    const set = await loadExtensions({
      cwd,
      sources: [source],
      cacheDir,
      loadDeadlineMs,
      modules,
      onCompiled: () => send({ started: index }),
    });
    send({ report: reportOf(source, set) });
    set.dispose();
  }
  // Whatever an extension left running must not keep the check from ending.
  process.exit(0);
}
