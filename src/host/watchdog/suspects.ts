import type { RunningCode } from "../../dispatch/index.ts";

export interface Suspect {
  readonly name: string;
  readonly path: string;
  /** The event, or what else it was doing; absent where nothing is known. */
  readonly what?: string;
}

export interface Suspicion {
  readonly suspects: readonly Suspect[];
  /**
   * - `certain`: it was called and did not return
   * - `likely`: several were called meanwhile, or had awaited something: most likely one of them
   * - `unknown`: nothing of an extension is known to run; it may be a callback of any of them
   */
  readonly how: "certain" | "likely" | "unknown";
}

/** Parts of Seam that are loaded as extensions are named so. */
const isOwn = ({ path }: RunningCode) => path.startsWith("<seam:");

/**
 * Whose code may hold a thread: `seen` are the slots that had it at each look since it was last
 * heard of, 0 for nobody's; `unsettled` is how many calls of each slot have not settled.
 */
export function suspicionOf(
  seen: ReadonlySet<number>,
  unsettled: ArrayLike<number>,
  codes: ReadonlyMap<number, RunningCode>,
): Suspicion {
  const [only] = seen;
  const called = seen.size === 1 ? codes.get(only ?? 0) : undefined;
  if (called) return { suspects: [called], how: "certain" };
  const others = [...codes].filter(([, code]) => !isOwn(code));
  const suspects = others.flatMap(([slot, code]) => {
    if (seen.has(slot)) return [code];
    if ((unsettled[slot] ?? 0) <= 0) return [];
    return [{ ...code, what: `${code.what}, after an await` }];
  });
  if (suspects.length > 0) return { suspects, how: "likely" };
  const byPath = new Map(others.map(([, { name, path }]) => [path, { name, path }]));
  return { suspects: [...byPath.values()], how: "unknown" };
}

/** Who it was, as a sentence begins. */
export function describeSuspects({ suspects, how }: Suspicion): string {
  const list = suspects.map(({ path, what }) => (what ? `${path} (${what})` : path)).join(", ");
  if (how === "certain") return list;
  if (suspects.length === 0) return "Something in this process";
  return suspects.length === 1 ? `Most likely ${list}` : `One of ${list}`;
}
