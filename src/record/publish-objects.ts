import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { SeamError } from "../errors/index.ts";
import {
  isCollecting,
  type ObjectBatch,
  type RefUpdate,
  type Repo,
  releasePins,
} from "../git/index.ts";
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
    whileCollected(batch.repo, () => batch.publish(ref, to, from ?? null)),
  );
  if (update.ok && (wasCollecting || isCollecting(batch.repo))) {
    ensureLater(batch, Date.now() + MOST_MS, (error) =>
      record.log?.("warn", `${ref} is not complete any more`, error),
    );
  }
  return update;
}

/** So often `git gc` may be faster in a row. */
const MOST_TRIES = 10;

/** What was there a moment ago can be gone when git moves the reference: then it is written again. */
async function whileCollected<T>(repo: Repo, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isGone(error) || tries === MOST_TRIES) throw error;
      // What it builds upon may be gone as well.
      await restoreCollected(repo);
    }
  }
}

function isGone(error: unknown): boolean {
  if (!(error instanceof SeamError)) return false;
  return error.code === "SEAM_GIT_OBJECT" || /nonexistent object/.test(error.message);
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

/** What a clean-up that runs may still take something from. */
const exposed = new Set<ObjectBatch>();

function ensureLater(batch: ObjectBatch, until: number, failed: (error: unknown) => void): void {
  exposed.add(batch);
  const look = async () => {
    const isOver = !isCollecting(batch.repo) || Date.now() >= until;
    // With those before it, upon which it builds.
    await restoreCollected(batch.repo);
    if (!isOver) return ensureLater(batch, until, failed);
    await batch.ensure().catch(failed);
    exposed.delete(batch);
    if (!isCollecting(batch.repo)) releasePins(batch.repo);
  };
  setTimeout(() => void look(), LOOK_AGAIN_MS).unref();
}

/** Writes again, now, what a clean-up took away since it was published. */
export async function restoreCollected({ commonDir }: Repo): Promise<void> {
  for (const batch of exposed) {
    // What cannot be had back now is said later.
    if (batch.repo.commonDir === commonDir) await batch.ensure().catch(() => {});
  }
}
