import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import { agentNamed } from "../agents/index.ts";
import {
  headOf,
  namedPaths,
  pathFromShown,
  type Repo,
  shownPath,
  TreeLookup,
  workPath,
} from "../git/index.ts";
import type { RecordingContext } from "./recording-context.ts";
import { leavesPrograms, leftByTurn } from "./session/runs.ts";
import type { SessionState, TouchedFile } from "./session/state.ts";
import { goingOn } from "./session/step.ts";
import { turnSnapshot } from "./snapshot/turn-snapshot.ts";

/** Where a command sends its output: the one thing of which it is sure that the command writes it. */
const WRITES_TO = /(?:>>?\|?|\btee\s+(?:-a\s+)?)\s*(?:"([^"]+)"|'([^']+)'|([^\s'"`;|&()<>]+))/g;

/**
 * Records with its turn what a command wrote since that the turn left running: the files it sends
 * its output to. Of others nobody knows whether that command or a person changed them.
 */
export async function withLeftBehind(
  context: RecordingContext,
  repo: Repo,
  state: SessionState,
): Promise<SessionState> {
  const later = state.phase === "active" ? [] : writtenSince(repo, state);
  if (later.length === 0) return state;
  const at = new Date().toISOString();
  const paths = later.map(pathFromShown);
  const ended = await turnSnapshot(context, repo, state, "end", { at, paths });
  if (!ended) return state;
  const { store } = context.record;
  const { commit } = await headOf(repo);
  const head = commit === undefined ? undefined : (await store.info(`${commit}^{tree}`))?.id;
  const trees = new TreeLookup(store);
  const { phase, turn_answered, turn_cut_off, turn_id: turn = "" } = state;
  const { pending, ...rest } = goingOn(state);
  const files: Record<string, TouchedFile> = { ...pending.files };
  for (const shown of later) {
    const now = await trees.at(ended.tree, pathFromShown(shown));
    const isCommitted = now?.id === (await trees.at(head, pathFromShown(shown)))?.id;
    if (now && !isCommitted) files[shown] = { blob: now.id, mode: now.mode, turn };
  }
  return {
    ...rest,
    phase,
    ...(turn_answered && { turn_answered }),
    ...(turn_cut_off && { turn_cut_off }),
    turn_ended_at: at,
    pending: { ...pending, files },
  };
}

/** Files that commands which the turn left running write to, and that changed after its end. */
function writtenSince({ workTree: top }: Repo, state: SessionState): string[] {
  const { agent, turn_told, turn_ended_at = "" } = state;
  const calls = leftByTurn(state);
  if (top === undefined || calls.size === 0) return [];
  // Hooks of some agents have other ids for a call than their transcripts.
  const isByText = !agentNamed(agent)?.transcript.namesCalls;
  const commands = (turn_told?.story.entries ?? []).filter(
    ({ kind, call_id = "", text = "" }) =>
      kind === "call" && (calls.has(call_id) || (isByText && leavesPrograms(text))),
  );
  const named = commands
    .flatMap(({ text = "" }) => [...text.matchAll(WRITES_TO)])
    .map(([, double, single, bare]) => double ?? single ?? bare ?? "")
    .flatMap((name) => namedPaths(top, resolve(top, name)).map(shownPath));
  return [...new Set(named)].filter((shown) => {
    const stats = lstatSync(workPath(top, pathFromShown(shown)), { throwIfNoEntry: false });
    return stats?.isFile() && stats.ctimeMs > Date.parse(turn_ended_at);
  });
}
