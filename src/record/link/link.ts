import type { ProcessId, SessionState, TouchedFile } from "../session/state.ts";
import { isSameSession, type WhoChanged } from "./who-changed.ts";

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
  /** Who changed a path that no tool named, as a session at work sees it. */
  whoChanged?: WhoChanged;
  /** The session whose agent made the commit, where that is known without its processes. */
  readonly maker?: SessionState | undefined;
}

export interface Linked {
  readonly session: SessionState;
  readonly why: "process" | "content";
  /** Paths of the commit that are this session's. */
  readonly paths: readonly string[];
  /** Those of which it was known before the commit that it or another session changed them. */
  readonly oneOf?: readonly string[];
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
    for (const path of [...pathsOf(session), ...changedBy(input, session, maker)]) {
      // Two sessions with the same content did not both write it: one was open while the other did.
      const { blob, one_of } = session.pending.files[path] ?? {};
      const others = claimed.get(path) ?? new Set();
      if (blob !== undefined && others.has(blob) && !one_of) continue;
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

/** Whether a commit has a file exactly as a session left it. */
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
  input: LinkInput,
  maker: SessionState,
  other: SessionState,
  path: string,
): Promise<boolean> {
  const { staged, isNewInTurn } = input;
  const blob = staged.get(path) ?? null;
  const isPromised = path in other.pending.files || other.turn_files?.includes(path);
  // Whoever ran a command may have deleted it: the one who commits that did, unless it cannot be.
  if (blob === null && !isPromised && input.whoChanged?.(maker, path).who !== "others") {
    return (await isNewInTurn?.(maker, path, blob)) ?? false;
  }
  if (!isAsLeft(other, path, blob) || isPerhaps(input, other, path)) return false;
  if (maker.turn_files?.includes(path) || path in maker.pending.files) return true;
  if (other.turn_files?.includes(path)) return false;
  return (await isNewInTurn?.(maker, path, blob)) ?? false;
}

/** What a session wrote and no commit has taken up; in the turn under way as its tools named it. */
function pathsOf({ phase, pending, turn_files = [] }: SessionState): Set<string> {
  return new Set([...Object.keys(pending.files), ...(phase === "active" ? turn_files : [])]);
}

/**
 * Paths of a commit that commands of a session at work changed, or may have changed. What a person
 * commits while a command runs is more likely the person's own.
 */
function changedBy(
  input: LinkInput,
  session: SessionState,
  maker: SessionState | undefined,
): string[] {
  if (session.phase !== "active") return [];
  const known = pathsOf(session);
  const mayBeMine = (path: string) => {
    const changer = input.whoChanged?.(session, path);
    return !maker && changer?.who === "session" && !changer.isOver;
  };
  return [...input.staged.keys()].filter(
    (path) => !known.has(path) && isPerhaps(input, session, path) && !mayBeMine(path),
  );
}

/** Whether a session changed a path, or was one of those who may have. */
export function isPerhaps(
  { whoChanged }: Pick<LinkInput, "whoChanged">,
  session: SessionState,
  path: string,
): boolean {
  const known = session.pending.files[path];
  if (known?.one_of) return true;
  const who = session.phase === "active" ? whoChanged?.(session, path).who : "unknown";
  return who === "session" || who === "one of";
}

/** Whether either the session or another one changed a path: both ran commands at the time. */
export function isOneOf(
  session: SessionState,
  path: string,
  changer: WhoChanged | undefined,
): boolean {
  const { pending, phase, turn_files } = session;
  const known = pending.files[path];
  if (known) return known.one_of !== undefined;
  if (phase !== "active" || turn_files?.includes(path)) return false;
  return changer?.(session, path).who === "one of";
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

async function contains(input: LinkInput, session: SessionState, path: string): Promise<boolean> {
  const { staged, holdsLinesOf, isNewInTurn } = input;
  const blob = staged.get(path);
  if (blob === undefined) return false;
  const touched = session.pending.files[path];
  if (blob === touched?.blob) return true;
  const isNamed = session.turn_files?.includes(path) || isPerhaps(input, session, path);
  if (session.phase === "active" && isNamed) {
    if (await isNewInTurn?.(session, path, blob)) return true;
  }
  if (!touched || blob === null || touched.blob === null) return false;
  return holdsLinesOf(path, touched, blob);
}
