import type { ProcessId, SessionState, TouchedFile } from "../session/state.ts";

/** A path in a commit: the blob it has there, or null if the commit deletes it. */
export type Staged = ReadonlyMap<string, string | null>;

export interface LinkInput {
  /** Sessions that are active or have files no commit has taken up. */
  readonly sessions: readonly SessionState[];
  readonly workTree: string;
  readonly staged: Staged;
  /** Processes above git, nearest first. */
  readonly ancestors: readonly ProcessId[];
  /** Whether staged content holds lines that a session added; asked only if blobs differ. */
  holdsLinesOf(path: string, touched: TouchedFile, staged: string): Promise<boolean>;
}

export interface Linked {
  readonly session: SessionState;
  readonly why: "process" | "content";
  /** Paths of the commit that are this session's. */
  readonly paths: readonly string[];
}

/**
 * The sessions a commit belongs to: the one whose agent runs git, or else those whose work is in
 * it. A session that is merely open is not linked.
 */
export async function link(input: LinkInput): Promise<Linked[]> {
  const maker = madeBy(input);
  if (maker) {
    const paths = [...input.staged.keys()].filter((path) => path in maker.pending.files);
    return [{ session: maker, why: "process", paths }];
  }
  const here = input.sessions
    .filter(({ work_tree }) => work_tree === input.workTree)
    .sort((a, b) => (a.last_seen_at < b.last_seen_at ? 1 : -1));
  const claimed = new Set<string>();
  const linked: Linked[] = [];
  for (const session of here) {
    const paths: string[] = [];
    for (const [path, touched] of Object.entries(session.pending.files)) {
      if (claimed.has(path) || !(await contains(input, path, touched))) continue;
      claimed.add(path);
      paths.push(path);
    }
    if (paths.length > 0) linked.push({ session, why: "content", paths });
  }
  return linked;
}

/** The nearest process above git that is an agent's wins: agents start agents. */
function madeBy({ sessions, ancestors }: LinkInput): SessionState | undefined {
  for (const { pid, started } of ancestors) {
    const owned = sessions.filter(
      ({ owner }) => owner !== undefined && owner.pid === pid && owner.started === started,
    );
    const active = owned.filter(({ phase }) => phase === "active");
    const [found] = (active.length > 0 ? active : owned).sort((a, b) =>
      a.last_seen_at < b.last_seen_at ? 1 : -1,
    );
    if (found) return found;
  }
  return undefined;
}

async function contains(
  { staged, holdsLinesOf }: LinkInput,
  path: string,
  touched: TouchedFile,
): Promise<boolean> {
  const blob = staged.get(path);
  if (blob === undefined) return false;
  if (blob === touched.blob) return true;
  if (blob === null || touched.blob === null) return false;
  return holdsLinesOf(path, touched, blob);
}
