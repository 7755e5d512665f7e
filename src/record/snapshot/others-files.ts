import { diffTrees, type ObjectBatch, shownPath } from "../../git/index.ts";
import { isSameSession, whoChanged } from "../link/who-changed.ts";
import type { RecordingContext } from "../recording-context.ts";
import type { SessionState } from "../session/state.ts";

/** Files that another session changed while a turn was under way in the same place. */
export interface OthersFiles {
  readonly agent: string;
  readonly session_id: string;
  readonly files: readonly string[];
}

/** What others did in the course of a turn. */
export interface Meanwhile {
  /** What they changed: their tools named it, or their commands alone ran when it changed. */
  readonly others: readonly OthersFiles[];
  /** What they may have changed: commands of theirs ran then, and commands of the turn did too. */
  readonly one_of: readonly OthersFiles[];
  /** What changed when no session ran anything, or was committed by somebody else. */
  readonly unclaimed: readonly string[];
}

/** At most this many are listed for one turn. */
const MOST_FILES = 1_000;

/** Files that tools named belong to their session; what commands changed is told apart by its time. */
export function meanwhile(
  { repo, states, secrets }: RecordingContext["record"],
  state: SessionState,
) {
  return async (batch: ObjectBatch, tree: string): Promise<Meanwhile> => {
    const { turn_files = [], turn_start_tree: start } = state;
    const sessions = states
      .recent()
      .filter((one) => one.work_tree === state.work_tree && !isSameSession(one, state));
    const others = new Files();
    const oneOf = new Files();
    const unclaimed: string[] = [];
    if (start === undefined) return { others: [], one_of: [], unclaimed };
    const own = new Set(turn_files);
    const changer = whoChanged(repo, [state, ...sessions]);
    const isSafe = async (path: string) => (await secrets.without(path)) === path;
    for (const { path, after } of await diffTrees(batch, start, tree)) {
      const shown = shownPath(path);
      if (own.has(shown)) continue;
      const found = changer(state, shown);
      if (found.who !== "one of" && found.who !== "others") {
        const isUnclaimed = found.who === "nobody" || isTakenUp(state, shown, after?.id);
        const isListed = isUnclaimed && unclaimed.length < MOST_FILES && (await isSafe(shown));
        if (isListed) unclaimed.push(shown);
        continue;
      }
      // Of several others nobody knows which one it was either.
      const list = found.who === "others" && found.others.length === 1 ? others : oneOf;
      for (const one of found.others) list.add(one, shown);
    }
    return { others: await others.list(isSafe), one_of: await oneOf.list(isSafe), unclaimed };
  };
}

/** Whether a file is as somebody else committed it in the course of the turn. */
function isTakenUp(
  { turn_taken_up = {} }: SessionState,
  shown: string,
  blob: string | null = null,
): boolean {
  return Object.hasOwn(turn_taken_up, shown) && turn_taken_up[shown] === blob;
}

/** Files by session. */
class Files {
  readonly #found = new Map<string, { agent: string; session_id: string; files: string[] }>();

  add({ agent, session_id }: SessionState, path: string): void {
    const key = `${agent}\0${session_id}`;
    const known = this.#found.get(key) ?? { agent, session_id, files: [] };
    if (known.files.length < MOST_FILES) known.files.push(path);
    this.#found.set(key, known);
  }

  async list(isSafe: (path: string) => Promise<boolean>): Promise<OthersFiles[]> {
    const all: OthersFiles[] = [];
    for (const { files, ...session } of this.#found.values()) {
      const safe: string[] = [];
      for (const path of files) if (await isSafe(path)) safe.push(path);
      if (safe.length > 0) all.push({ ...session, files: safe });
    }
    return all;
  }
}
