import { join } from "node:path";
import { packageRoot } from "./paths.ts";

/** The workers there are; `scripts/workers.mjs` says from which source each of them is built. */
export type WorkerName = "extension-thread" | "record-worker";

/** Built from the sources when tests run them, so that they never run an older build. */
const FROM_SOURCES = "node_modules/.cache/agentseam/workers";

/** The file a worker thread runs: always of the same build as what starts it. */
export function workerFile(name: WorkerName): string {
  const isSource = import.meta.url.endsWith(".ts");
  return join(packageRoot(), isSource ? FROM_SOURCES : "dist/bin", `${name}.js`);
}
