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
  /** Whether a path of the commit is something else than when the session's turn began. */
  isNewInTurn?(session: SessionState, path: string, staged: string | null): Promise<boolean>;
  /** The session whose agent made the commit, where that is known without its processes. */
  readonly maker?: SessionState | undefined;
}

export interface Linked {
  readonly session: SessionState;
  readonly why: "process" | "content";
  /** Paths of the commit that are this session's. */
  readonly paths: readonly string[];
}

/**
 * The sessions a commit belongs to: the one whose agent runs git, and those whose work is in it. A
 * session that is merely open is not linked.
 */
export async function link(input: LinkInput): Promise<Linked[]> {
  const maker = input.maker ?? madeBy(input);
  const here = input.sessions
    .filter(({ work_tree }) => work_tree === input.workTree)
    .filter((one) => !maker || !isSameSession(one, maker))
    .sort((a, b) => (a.last_seen_at < b.last_seen_at ? 1 : -1));
  const claimed = new Map<string, Set<string | null>>();
  const linked: Linked[] = [];
  for (const session of here) {
    const paths: string[] = [];
    for (const path of pathsOf(session)) {
      // Two that have it alike did not both write it: one of them was there when the other did.
      const blob = session.pending.files[path]?.blob;
      const others = claimed.get(path) ?? new Set();
      if (blob !== undefined && others.has(blob)) continue;
      if (!(await contains(input, session, path))) continue;
      if (maker && (await isMakers(input, maker, session, path))) continue;
      if (blob !== undefined) claimed.set(path, others.add(blob));
      paths.push(path);
    }
    if (paths.length > 0) linked.push({ session, why: "content", paths });
  }
  if (!maker) return linked;
  const paths = [...input.staged.keys()].filter((path) => path in maker.pending.files);
  return [{ session: maker, why: "process", paths }, ...linked];
}

function isSameSession(a: SessionState, b: SessionState): boolean {
  return a.session_id === b.session_id && a.agent === b.agent;
}

/** Whether a commit has a file as a session left it: nobody has changed it since. */
export function isAsLeft({ pending }: SessionState, path: string, staged: string | null): boolean {
  const left = pending.files[path];
  return left === undefined || left.blob === staged;
}

/**
 * Whether what another session claims was written by the agent that commits it. What came to be
 * while that agent was at work is its own, unless only a tool of the other one named the file. What
 * it changed of the other one's file is the work of both.
 */
async function isMakers(
  { staged, isNewInTurn }: LinkInput,
  maker: SessionState,
  other: SessionState,
  path: string,
): Promise<boolean> {
  const blob = staged.get(path) ?? null;
  if (!isAsLeft(other, path, blob)) return false;
  if (maker.turn_files?.includes(path) || path in maker.pending.files) return true;
  if (other.turn_files?.includes(path)) return false;
  return (await isNewInTurn?.(maker, path, blob)) ?? false;
}

/** What a session wrote and no commit has taken up; in the turn under way as its tools named it. */
function pathsOf({ phase, pending, turn_files = [] }: SessionState): Set<string> {
  return new Set([...Object.keys(pending.files), ...(phase === "active" ? turn_files : [])]);
}

/**
 * The nearest process above git that is an agent's wins: agents start agents. An agent that has
 * nothing to do makes no commits: then it is the user, in a shell of the agent or its editor.
 */
function madeBy({ sessions, ancestors, workTree }: LinkInput): SessionState | undefined {
  const active = sessions.filter(({ phase }) => phase === "active");
  const isHere = ({ work_tree }: SessionState) => work_tree === workTree;
  for (const { pid, started } of ancestors) {
    const found = active
      .filter(({ owner }) => owner?.pid === pid && owner.started === started)
      .sort((a, b) => (a.last_seen_at < b.last_seen_at ? 1 : -1));
    if (found.length > 0) return found.find(isHere) ?? found[0];
  }
  return undefined;
}

async function contains(
  { staged, holdsLinesOf, isNewInTurn }: LinkInput,
  session: SessionState,
  path: string,
): Promise<boolean> {
  const blob = staged.get(path);
  if (blob === undefined) return false;
  const touched = session.pending.files[path];
  if (blob === touched?.blob) return true;
  if (session.phase === "active" && session.turn_files?.includes(path)) {
    if (await isNewInTurn?.(session, path, blob)) return true;
  }
  if (!touched || blob === null || touched.blob === null) return false;
  return holdsLinesOf(path, touched, blob);
}
