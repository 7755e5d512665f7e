/** Turns and commits that are remembered. */
const MOST_KNOWN = 200;

/** The commits of one work tree that git's hooks told this process of, and since when it listens. */
export class HeardCommits {
  /** Turns whose start was seen by this process, and when that was. */
  readonly #turns = new Map<string, number>();
  readonly #commits = new Map<string, true>();

  /** A turn starts: from now on it is known which commits hooks told of. */
  turnStarts(turnId: string | undefined): void {
    if (turnId !== undefined) remember(this.#turns, turnId, Date.now());
  }

  /** When a turn started; undefined if this process did not see that. */
  startOf(turnId: string): number | undefined {
    return this.#turns.get(turnId);
  }

  hear(commit: string): void {
    remember(this.#commits, commit, true);
  }

  isHeard(commit: string): boolean {
    return this.#commits.has(commit);
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST_KNOWN && oldest !== undefined) map.delete(oldest);
}
