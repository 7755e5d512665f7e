import type { DaemonPaths } from "../../daemon/index.ts";
import { type Freshness, rebuildIndex, refreshIndex } from "../../search/index.ts";
import { isCapable, progressLine } from "../print.ts";
import { bytesText } from "./format.ts";

/** How often a person who waits sees how far it is. */
const STEP_MS = 400;
/** Whoever reads from a pipe gets an answer by then, with what is in the index so far. */
const LONGEST_IN_PIPE_MS = 30_000;

/** Waits until what is on disk is in the index; on a terminal with a bar that says how far it is. */
export async function waitForIndex(
  paths: DaemonPaths,
  { rebuild = false, mostMs }: { rebuild?: boolean; mostMs?: number } = {},
): Promise<Freshness> {
  const most =
    mostMs ?? (isCapable(process.stderr) ? Number.POSITIVE_INFINITY : LONGEST_IN_PIPE_MS);
  const until = Date.now() + most;
  const line = progressLine();
  try {
    let now = rebuild ? await rebuildIndex(paths, STEP_MS) : await refreshIndex(paths, STEP_MS);
    while (!now.isComplete && Date.now() < until) {
      line.show(barOf(now));
      now = await refreshIndex(paths, STEP_MS, now.pass);
    }
    return now;
  } finally {
    line.clear();
  }
}

const BAR = 24;

function barOf({ progress }: Freshness): string {
  if (!progress) return "Looking for sessions …";
  const { bytes, bytesDone, sources, sourcesDone } = progress;
  const part = bytes > 0 ? bytesDone / bytes : sources > 0 ? sourcesDone / sources : 1;
  const filled = Math.round(Math.min(1, part) * BAR);
  const bar = "█".repeat(filled) + "░".repeat(BAR - filled);
  return `Indexing ${bar} ${Math.floor(part * 100)} %, ${bytesText(bytesDone)} of ${bytesText(bytes)}`;
}

/** What to say to somebody whose answer may lack the newest; nothing if it does not. */
export function stateLine({ isComplete, progress }: Freshness): string | undefined {
  if (isComplete) return undefined;
  if (!progress) return "The index is still being made: this may not be everything.";
  const { sources, sourcesDone } = progress;
  return `The index is still being made: ${sourcesDone} of ${sources} sessions are in it.`;
}
