import { commitFacts, headOf, type Repo, trailersOf } from "../../git/index.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import type { Keeper } from "../keeper.ts";
import type { SessionState } from "../session/state.ts";
import { afterCommit } from "./after-commit.ts";

/** More commits in one turn are brought in from elsewhere, not made. */
const MOST_COMMITS = 20;
/** Turns and commits that are remembered. */
const MOST_KNOWN = 200;
/** Clocks of git count seconds. */
const SECOND_MS = 1000;

interface Watch {
  /** Turns whose start was seen by this process, and when that was. */
  readonly turns: Map<string, number>;
  /** Commits that a hook told of since. */
  readonly heard: Map<string, true>;
}

const watches = new WeakMap<Keeper["record"], Watch>();

function watchOf({ record }: Keeper): Watch {
  const known = watches.get(record) ?? { turns: new Map(), heard: new Map() };
  watches.set(record, known);
  return known;
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST_KNOWN && oldest !== undefined) map.delete(oldest);
}

/** From now on it is known which commits hooks told of. */
export function watchCommits(keeper: Keeper, { turn_id }: SessionState): void {
  if (turn_id !== undefined) remember(watchOf(keeper).turns, turn_id, Date.now());
}

export function heardOf(keeper: Keeper, commit: string): void {
  remember(watchOf(keeper).heard, commit, true);
}

/**
 * Records commits of a turn that no git hook told of. Gemini CLI switches git's hooks off in its
 * shell, and programs that are not git run none. Costs a look at HEAD where there are none.
 */
export async function recordUnheardCommits(
  keeper: Keeper,
  repo: Repo,
  session: SessionState,
): Promise<void> {
  const { phase, base_commit, turn_ran_shell, turn_id = "" } = session;
  if (phase !== "active" || !turn_ran_shell) return;
  const { turns, heard } = watchOf(keeper);
  const since = turns.get(turn_id);
  // Without its beginning nobody knows what was told before.
  if (since === undefined) return;
  const { store } = keeper.record;
  const unheard: string[] = [];
  let next = (await headOf(repo)).commit;
  for (let seen = 0; next !== base_commit; seen++) {
    const facts = next === undefined ? undefined : await commitFacts(store, next);
    const isOlder = facts && facts.committer.time * SECOND_MS < since - SECOND_MS;
    // HEAD went somewhere else: what is there was not made in this turn.
    if (!facts || isOlder || seen === MOST_COMMITS) return;
    const isKnown = heard.has(facts.id) || trailersOf(facts.message, TRAILER).length > 0;
    if (!isKnown) unheard.push(facts.id);
    [next] = facts.parents;
  }
  const makers = isAlone(keeper, session) && session.owner ? [session.owner] : [];
  for (const commit of unheard.reverse()) {
    const request = { cwd: repo.gitDir, pid: 0, args: [], input: commit };
    await afterCommit(keeper, repo, request, makers);
  }
}

/** Whether nobody else known could have made the commit: then it need not hold what is known. */
function isAlone({ record: { states } }: Keeper, session: SessionState): boolean {
  return states
    .live()
    .filter(({ phase, turn_ran_shell }) => phase === "active" && turn_ran_shell)
    .filter(({ work_tree }) => work_tree === session.work_tree)
    .every(({ session_id }) => session_id === session.session_id);
}
