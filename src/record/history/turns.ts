import { diffTrees, type ObjectStore, runGit, shownPath } from "../../git/index.ts";
import { TURNS_PREFIX } from "../checkpoint/metadata.ts";
import type { SnapshotRecord } from "../snapshot/record.ts";
import { parseSnapshotMessage, turnsRef } from "../snapshot/take-snapshot.ts";

export interface StoredSnapshot {
  readonly commit: string;
  readonly tree: string;
  readonly record: SnapshotRecord;
}

/** One prompt and the work on it, from the snapshots around it. */
export interface Turn {
  readonly id: string;
  readonly session_id: string;
  readonly agent: string;
  readonly at: string;
  readonly prompt?: string;
  readonly branch?: string;
  readonly start?: StoredSnapshot;
  /** Absent while the turn is under way. */
  readonly end?: StoredSnapshot;
  /** What is different at its end; unknown without both snapshots. */
  readonly files?: readonly string[];
}

/** Between the fields of a commit; no message holds it. */
const END = "\0";

/** Snapshots, newest first: of one session, or of all. */
export async function snapshots(
  store: ObjectStore,
  { session, limit }: { readonly session?: string; readonly limit?: number } = {},
): Promise<StoredSnapshot[]> {
  const which = session === undefined ? `--glob=${TURNS_PREFIX}*` : turnsRef(session);
  const args = [
    ...["log", "-z", "--format=%H%n%T%n%B", "--date-order"],
    ...(limit === undefined ? [] : [`--max-count=${limit}`]),
    ...[which, "--"],
  ];
  const { stdout, code } = await runGit(args, { cwd: store.repo.commonDir });
  if (code !== 0) return [];
  const found: StoredSnapshot[] = [];
  for (const text of stdout.toString().split(END)) {
    const [commit = "", tree = ""] = text.split("\n", 2);
    const record = parseSnapshotMessage(text.slice(commit.length + tree.length + 2));
    if (record) found.push({ commit, tree, record });
  }
  return found;
}

/** Turns, the newest first. Costs as much as there are turns asked for. */
export async function turns(
  store: ObjectStore,
  { session, limit = 20 }: { readonly session?: string; readonly limit?: number } = {},
): Promise<Turn[]> {
  const about = session === undefined ? {} : { session };
  // Two snapshots a turn; one more, because the oldest could be an end without its start.
  const taken = await snapshots(store, { ...about, limit: limit * 2 + 1 });
  const byTurn = new Map<string, { start?: StoredSnapshot; end?: StoredSnapshot }>();
  for (const snapshot of taken) {
    const { turn_id, moment } = snapshot.record;
    byTurn.set(turn_id, { [moment]: snapshot, ...byTurn.get(turn_id) });
  }
  const pairs = [...byTurn].slice(0, limit);
  return Promise.all(pairs.map(([id, pair]) => turnOf(store, id, pair)));
}

async function turnOf(
  store: ObjectStore,
  id: string,
  { start, end }: { readonly start?: StoredSnapshot; readonly end?: StoredSnapshot },
): Promise<Turn> {
  const first = start ?? end;
  const { session_id = "", agent = "", at = "", prompt, branch } = first?.record ?? {};
  return {
    id,
    session_id,
    agent,
    at,
    ...(prompt !== undefined && { prompt }),
    ...(branch !== undefined && { branch }),
    ...(start && { start }),
    ...(end && { end }),
    ...(start && end && { files: await changedFiles(store, start.tree, end.tree) }),
  };
}

export async function changedFiles(
  store: ObjectStore,
  before: string,
  after: string,
): Promise<string[]> {
  return (await diffTrees(store, before, after)).map(({ path }) => shownPath(path));
}
