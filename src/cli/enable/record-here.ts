import { openRepo } from "../../git/index.ts";
import {
  isEnabled,
  passesHooksOn,
  recordedWorkTrees,
  startRecord,
  stopRecord,
} from "../../record/index.ts";

/** Whether there is a repository here that can be recorded. */
export async function canRecordHere(): Promise<boolean> {
  return (await openRepo(process.cwd()))?.workTree !== undefined;
}

interface RecordedHere<T> {
  /** Git hooks that were not in place. */
  readonly hooks: readonly string[];
  /** The user's own are in a folder of their own, and Seam's run them. */
  readonly passesOn: boolean;
  readonly done: T;
}

/**
 * Starts the record of the repository here, if there is one to record, and then does what depends on
 * it. If that fails, nothing is recorded that was not before.
 */
export async function recordHere<T>(then: () => T): Promise<RecordedHere<T>> {
  const repo = await openRepo(process.cwd());
  if (!repo?.workTree) return { hooks: [], passesOn: false, done: then() };
  const wasRecorded = isEnabled(repo);
  const hooks = await startRecord(repo);
  try {
    return { hooks, passesOn: await passesHooksOn(repo), done: then() };
  } catch (error) {
    if (!wasRecorded) await stopRecord(repo);
    throw error;
  }
}

interface EndedHere {
  readonly how: Awaited<ReturnType<typeof stopRecord>>;
  readonly workTree?: string;
  /** Other work trees of the repository that are still recorded. */
  readonly others: readonly string[];
}

/** Ends it: in this work tree, or for the whole repository if no other work tree was enabled. */
export async function stopRecordHere(): Promise<EndedHere> {
  const repo = await openRepo(process.cwd());
  if (!repo) return { how: "nothing", others: [] };
  const how = await stopRecord(repo);
  const others = how === "work tree" ? await recordedWorkTrees(repo) : [];
  return { how, ...(repo.workTree !== undefined && { workTree: repo.workTree }), others };
}
