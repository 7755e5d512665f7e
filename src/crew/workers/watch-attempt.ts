import { existsSync, rmSync } from "node:fs";
import type { AttemptEnd } from "../model/run.ts";
import { attemptFiles } from "./attempt-files.ts";
import { removeGrant } from "./attempt-grant.ts";
import { processIn } from "./attempt-process.ts";
import type { AttemptSpec } from "./attempt-spec.ts";
import { endedBySeam, endProcessesOf, repairId } from "./end-attempt.ts";
import { type AttemptEvent, ProcessWatch } from "./process-watch.ts";
import { startAttempt } from "./start-attempt.ts";
import { repairRequest } from "./typed-result.ts";

export interface WatchOptions {
  /** Ends the watching, not the attempt. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: AttemptEvent) => void;
  /** An agent that prints more than this does not work; absent: half a gigabyte. */
  readonly floodBytes?: number;
}

/**
 * Follows an attempt to its end, whoever started it: everything it says is in the files of its
 * folder. A result that cannot be used is asked for once more in the same session.
 */
export async function watchAttempt(spec: AttemptSpec, options: WatchOptions): Promise<AttemptEnd> {
  const first = new ProcessWatch(spec, options);
  const end = await first.run();
  const repaired = await repair(spec, options, first, end);
  await endProcessesOf(spec);
  removeGrant(spec);
  return repaired ?? end;
}

/** Asks once more for a result that cannot be used; undefined where that is not the trouble. */
async function repair(
  spec: AttemptSpec,
  options: WatchOptions,
  first: ProcessWatch,
  end: AttemptEnd,
): Promise<AttemptEnd | undefined> {
  const { schema } = spec;
  const { session, problem } = first;
  if (!schema || session === undefined || problem === undefined || end.kind !== "failed") {
    return undefined;
  }
  const { repair: folder } = attemptFiles(spec.folder);
  const { session: _, ...rest } = spec;
  const again: AttemptSpec = {
    ...rest,
    id: repairId(spec.id),
    folder,
    resume: session,
    prompt: repairRequest(schema, problem),
    access: "read",
  };
  // A daemon that comes after a killed one finds the question put already.
  if (!existsSync(folder) || !processIn(folder)) {
    removeGrant(spec);
    // The agent could write there: what it left could lead out of its walls.
    rmSync(folder, { recursive: true, force: true });
    rmSync(attemptFiles(folder).walls, { force: true });
    await startAttempt(again);
  }
  const second = new ProcessWatch(again, options);
  const answer = await second.run();
  removeGrant(again);
  const stopped = endedBySeam(spec.folder);
  if (stopped) return stopped;
  if (answer.kind === "finished") return { ...answer, text: first.text || answer.text };
  return answer.kind === "failed" ? end : answer;
}
