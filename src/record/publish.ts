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
  const update = await batch.publish(ref, to, from ?? null);
  if (update.ok && (wasCollecting || isCollecting(batch.repo))) {
    ensureLater(batch, Date.now() + MOST_MS, (error) =>
      record.log?.("warn", `${ref} is not complete any more`, error),
    );
  }
  return update;
}

function ensureLater(batch: ObjectBatch, until: number, failed: (error: unknown) => void): void {
  const look = () => {
    if (isCollecting(batch.repo) && Date.now() < until) ensureLater(batch, until, failed);
    else batch.ensure().catch(failed);
  };
  setTimeout(look, LOOK_AGAIN_MS).unref();
}
