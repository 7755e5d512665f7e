import type { CheckoutState } from "./checkout-state.ts";

/** What differs between two moments of a checkout. */
export interface CheckoutChanges {
  readonly files: readonly string[];
  /** HEAD, branches, what is staged, git's own files. */
  readonly repository: readonly string[];
}

export function changesBetween(before: CheckoutState, after: CheckoutState): CheckoutChanges {
  return {
    // With another commit, what the commits differ in is said by where HEAD is.
    files: differences(before.files, after.files),
    repository: differences(before.repository, after.repository),
  };
}

export const isUnchanged = ({ files, repository }: CheckoutChanges) =>
  files.length + repository.length === 0;

function differences(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).sort();
}

/**
 * A state with what is known to have been changed by somebody else, between two other moments: that
 * is no news any more, and everything else still is.
 */
export function withExplained(
  state: CheckoutState,
  from: CheckoutState,
  to: CheckoutState,
): CheckoutState {
  const { files, repository } = changesBetween(from, to);
  return {
    commit: from.commit === to.commit ? state.commit : to.commit,
    files: taken(state.files, to.files, files),
    repository: taken(state.repository, to.repository, repository),
  };
}

function taken(
  state: Readonly<Record<string, string>>,
  to: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  const now = { ...state };
  for (const name of names) {
    const value = to[name];
    if (value === undefined) delete now[name];
    else now[name] = value;
  }
  return now;
}
