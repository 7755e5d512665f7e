import { lstatSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { canWrite } from "../../agents/index.ts";
import { pathFromShown, type Repo, workPath } from "../../git/index.ts";
import { ranWithin, runsSince, type Span } from "../session/runs.ts";
import type { SessionState } from "../session/state.ts";

/** Who changed a file that no tool named, as the session sees it that is asked about. */
export type Changer =
  /** `isOver` means that what it ran then has ended. A person may work while it runs. */
  | { readonly who: "session"; readonly isOver: boolean }
  /** They ran commands when it changed, and so did the session: it was one of them. */
  | { readonly who: "one of"; readonly others: readonly SessionState[] }
  | { readonly who: "others"; readonly others: readonly SessionState[] }
  /** It changed in the turn when no session ran anything: a person or another program did it. */
  | { readonly who: "nobody" }
  /** The file does not tell when it changed in the turn, or the session was not heard of since. */
  | { readonly who: "unknown" };

export type WhoChanged = (session: SessionState, shown: string) => Changer;

/**
 * Tells apart what the commands of several sessions changed in one work tree: by the times at which a
 * file came to be and was changed last, and by who ran a command then. A file that is gone was deleted
 * after it was seen last, and at the latest when its folder was changed last: by one of those who ran
 * a command between, and by those whose commands speak of it, if there are any. What changed when
 * nobody ran one is of a person.
 */
export function whoChanged(
  { workTree }: Repo,
  sessions: readonly SessionState[],
  /** Changes after that are not asked about. */
  until = Number.POSITIVE_INFINITY,
): WhoChanged {
  const here = sessions.filter(({ work_tree }) => work_tree === workTree);
  const known = new Map<string, Changes>();
  return (session, shown) => {
    const isOther = (one: SessionState) => !isSameSession(one, session);
    if (workTree === undefined) return { who: "unknown" };
    const namers = here.filter((one) => isOther(one) && names(one, session, shown));
    if (namers.length > 0) return { who: "others", others: namers };
    const since = Date.parse(session.turn_started_at ?? "");
    const changes = known.get(shown) ?? changesOf(workTree, shown);
    known.set(shown, changes);
    const { isGone, spans } = changes;
    const inTurn = (isGone ? spans.map((span) => goneIn(session, shown, span)) : spans)
      .filter(({ from, to }) => to >= since && from <= until)
      .map(({ from, to }) => ({ from: Math.max(from, since), to: Math.min(to, until) }));
    const moments = inTurn
      .map((span) => ({ span, running: here.filter((one) => ranWithin(one, span)) }))
      .map(({ span, running }) => ({
        span,
        running: isGone ? whoSaidIt(running, workTree, shown) : running,
      }))
      .filter(({ running }) => running.length > 0);
    const own = moments.filter(({ running }) => running.length === 1 && !running.some(isOther));
    if (own.length > 0) {
      return { who: "session", isOver: own.some(({ span }) => !runsSince(session, span)) };
    }
    const possible = moments.find(({ running }) => !running.every(isOther));
    if (possible) return { who: "one of", others: possible.running.filter(isOther) };
    const [last] = moments;
    if (last) return { who: "others", others: last.running };
    const heard = Date.parse(session.last_seen_at);
    const isHeardSince = inTurn.length > 0 && inTurn.every(({ to }) => to <= heard);
    // Of what it did in a tool that no hook told of, there is the transcript.
    const isSaid = speaksOf(session, [basename(shown)]);
    return { who: isHeardSince && !isSaid ? "nobody" : "unknown" };
  };
}

/** Whether a tool of one session named a file while another one was at work, which did not name it. */
function names(one: SessionState, other: SessionState, shown: string): boolean {
  const { phase, turn_ended_at = "", turn_files = [], earlier_files = {} } = one;
  const { turn_started_at = "", turn_files: own = [] } = other;
  if (own.includes(shown)) return false;
  const isMeanwhile = phase === "active" || turn_ended_at > turn_started_at;
  if (isMeanwhile && turn_files.includes(shown)) return true;
  return (earlier_files[shown] ?? "") > turn_started_at;
}

export function isSameSession(a: SessionState, b: SessionState): boolean {
  return a.session_id === b.session_id && a.agent === b.agent;
}

/** When a file was changed, as it tells itself, or as the folder does that it is gone from. */
interface Changes {
  readonly spans: readonly Span[];
  readonly isGone: boolean;
}

/**
 * When a file was changed last, which nobody can set, and when it came to be. One that is gone was
 * deleted at some time before the last change of the folder that is left.
 */
function changesOf(workTree: string, shown: string): Changes {
  try {
    const path = workPath(workTree, pathFromShown(shown));
    const stats = statsOf(path);
    if (stats) {
      const times = [stats.ctimeMs, stats.birthtimeMs];
      return { spans: times.map((time) => ({ from: time, to: time })), isGone: false };
    }
    const left = nearestFolder(path);
    const spans = left ? [{ from: Number.NEGATIVE_INFINITY, to: left.ctimeMs }] : [];
    return { spans, isGone: true };
  } catch {
    return { spans: [], isGone: false };
  }
}

/**
 * Between which two looks in the last turn of a session a file went, within this time. What had ended
 * at the first look, in the same millisecond too, did not delete it.
 */
function goneIn(session: SessionState, shown: string, { from, to }: Span): Span {
  const { turn_gone, turn_looked_at } = session;
  const gone = turn_gone?.[shown];
  if (gone) return { from: Date.parse(gone.from) + 1, to: Math.min(Date.parse(gone.to) + 1, to) };
  return { from: turn_looked_at === undefined ? from : Date.parse(turn_looked_at) + 1, to };
}

/** Those whose commands in the last turn name a file that is gone, or its folder that is gone too. */
function whoSaidIt(
  running: readonly SessionState[],
  workTree: string,
  shown: string,
): readonly SessionState[] {
  if (running.length < 2) return running;
  const gone = [shown];
  for (let folder = dirname(shown); folder !== "."; folder = dirname(folder)) {
    if (statsOf(workPath(workTree, pathFromShown(folder)))) break;
    gone.push(folder);
  }
  const names = gone.map((path) => basename(path));
  const found = running.filter((one) => speaksOf(one, names));
  return found.length > 0 ? found : running;
}

/** Whether calls of a session's last turn that may change files name one of these. */
function speaksOf({ turn_told }: SessionState, names: readonly string[]): boolean {
  const entries = turn_told?.story.entries ?? [];
  return entries.some(
    ({ kind, tool = "", text = "" }) =>
      kind === "call" &&
      canWrite({ name: tool }) &&
      wordsOf(text).some((word) => names.includes(word)),
  );
}

/** The last part of each path or word in a command. */
function wordsOf(command: string): string[] {
  return command.split(/[\s'"`;|&()<>=]+/).map((word) => basename(word));
}

/** Of the folder that a file was in, or of the one above that is still there. */
function nearestFolder(path: Buffer): Stats | undefined {
  // Every byte of the name is one character, also where it is no text.
  const folder = Buffer.from(dirname(path.toString("latin1")), "latin1");
  return statsOf(folder) ?? (folder.equals(path) ? undefined : nearestFolder(folder));
}

function statsOf(path: Buffer): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
