import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { SeamError } from "../errors/index.ts";
import { isCollecting, type ObjectBatch, type RefUpdate } from "../git/index.ts";
import type { RepoRecord } from "./repo-record.ts";

interface Move {
  readonly ref: string;
  readonly to: string;
  readonly from: string | undefined;
}

const LOOK_AGAIN_MS = 250;
/** A clean-up that takes longer has found out long ago what it is going to delete. */
const MOST_MS = 10 * 60 * 1000;

/**
 * Makes objects reachable. A `git gc` that began earlier may still delete some of them: once it is
 * over they are looked for again, and nobody waits for that.
 */
export async function publish(
  record: Pick<RepoRecord, "log">,
  batch: ObjectBatch,
  { ref, to, from }: Move,
): Promise<RefUpdate> {
  const wasCollecting = isCollecting(batch.repo);
  const update = await withoutStaleLock(join(batch.repo.commonDir, `${ref}.lock`), () =>
    batch.publish(ref, to, from ?? null),
  );
  if (update.ok && (wasCollecting || isCollecting(batch.repo))) {
    ensureLater(batch, Date.now() + MOST_MS, (error) =>
      record.log?.("warn", `${ref} is not complete any more`, error),
    );
  }
  return update;
}

/** Nobody holds one of Seam's references for longer than a moment. */
const STALE_MS = 5_000;

/** A process that was killed while it moved a reference leaves a lock that would stay for ever. */
async function withoutStaleLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  removeIfStale(lock);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SeamError) || error.code !== "SEAM_GIT_LOCK") throw error;
    await new Promise((resolve) => setTimeout(resolve, STALE_MS - Math.min(ageOf(lock), STALE_MS)));
    removeIfStale(lock);
    return work();
  }
}

function removeIfStale(lock: string): void {
  if (ageOf(lock) >= STALE_MS) rmSync(lock, { force: true });
}

/** 0 if it is not there. */
function ageOf(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function ensureLater(batch: ObjectBatch, until: number, failed: (error: unknown) => void): void {
  const look = () => {
    if (isCollecting(batch.repo) && Date.now() < until) ensureLater(batch, until, failed);
    else batch.ensure().catch(failed);
  };
  setTimeout(look, LOOK_AGAIN_MS).unref();
}
