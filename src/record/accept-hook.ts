import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { aboutCall, agentNamed, beginningOf, type Reading } from "../agents/index.ts";
import type { EventName } from "../events/index.ts";
import { headOf, namedPaths, type Repo, shownPath } from "../git/index.ts";
import { finalise } from "./checkpoint/finalise.ts";
import { forgottenUpTo } from "./checkpoint/forgotten.ts";
import { holdTranscripts } from "./checkpoint/held-transcripts.ts";
import { withTranscript } from "./checkpoint/store-transcript.ts";
import {
  recordCommitsBetween,
  recordOwnCommit,
  recordUnheardCommits,
} from "./git-hooks/unheard-commits.ts";
import { withLeftBehind } from "./left-behind.ts";
import { agentAbove, isAlive } from "./process-tree.ts";
import type { HookRecord } from "./recorder.ts";
import type { RecordingContext } from "./recording-context.ts";
import { asGuest, type Guest } from "./session/guest.ts";
import { newState } from "./session/new-state.ts";
import { readTranscript, withUsedBefore } from "./session/read-transcript.ts";
import { withRunsCutOff } from "./session/runs.ts";
import type { CutOff, SessionState } from "./session/state.ts";
import { endsTurn, isKnown, startsTurn, step } from "./session/step.ts";
import { withGoneFiles } from "./snapshot/gone-files.ts";
import { withoutSettledFiles, withTouchedFiles } from "./snapshot/touched-files.ts";
import { turnSnapshot } from "./snapshot/turn-snapshot.ts";

/** Tools whose input names the one file they change. */
const WRITES: ReadonlySet<string> = new Set(["write", "edit"]);

interface Circumstances {
  /** Whether the agent has written files in the meantime. */
  readonly isLate?: () => boolean;
  /** If the session got its prompt in another repository. */
  readonly guest?: Guest;
}

/**
 * Deals with one hook of an agent in a repository that is recorded. That it was dealt with is
 * noted last: whatever broke off before is done again when the hook comes a second time.
 */
export async function accept(
  context: RecordingContext,
  repo: Repo,
  told: HookRecord,
  { isLate = () => false, guest }: Circumstances = {},
): Promise<void> {
  const { states } = context.record;
  const { reading, at } = told;
  if (!reading?.sessionId) return;
  const known = states.get(told.agent, reading.sessionId, repo.worktreeId);
  const record = withUntoldStart(known, told);
  if (known && isKnown(known, record)) return;
  if (known && isOvertaken(known, record)) {
    states.put({ ...known, seq: record.seq });
    return;
  }
  // The folder may have another name since the session was last heard of.
  const here = known && { ...known, work_tree: repo.workTree ?? repo.gitDir };
  let before = asGuest(here ?? (await firstSeen(repo, record, reading)), guest);
  if (isBrokenOff(before, record)) {
    // A turn that has its end lacks it in checkpoints.
    before = await (before.phase === "active"
      ? endOfTurn(context, repo, before, { at, cutOff: "unknown", last: between(before, record) })
      : finished(context, before, at));
    states.put(before);
  }
  const starts = startsTurn(before, record);
  // From here on the commands of the last turn are forgotten.
  const later = starts ? await withLeftBehind(context, repo, before) : before;
  if (later !== before) states.put(later);
  before = later;
  const isEnd = endsTurn(before, record);
  const ends = isEnd || endsWork(before, record);
  if (ends) {
    before = await withCommits(recordUnheardCommits, context, repo, before);
  } else if (starts) {
    before = await withCommits(recordCommitsBetween, context, repo, before);
  }
  const safe = await withoutSecrets(context, record);
  const facts = {
    ...(await factsFor(context, repo, record)),
    ...(await stoppedAbout(context, record)),
  };
  let state = step(before, safe, facts);
  state = await withNamedFiles(context, state, repo, reading, record);
  if (starts) {
    context.commits.turnStarts(state.turn_id);
    // A commit may come while the snapshot is taken: it has to find the session.
    states.put({ ...state, seq: Math.min(before.seq, record.seq - 1) });
    // Where no hook told the prompt, the transcript has it by now.
    if (record !== told) state = await readTranscript(context, state, { at });
    const prompt = await shownPrompt(context, reading.prompt ?? promptOf(state));
    const started = await turnSnapshot(context, repo, state, "start", { at, ...prompt, isLate });
    if (started) {
      state = await withoutSettledFiles(context, state, started);
      state = { ...state, turn_start_tree: started.tree };
    }
  }
  state = await withGoneFiles(context, state, record);
  if (reading.commit !== undefined) {
    const { commit } = reading;
    // Broken off in the middle it is done again: this hook does not count as dealt with yet.
    states.put({ ...state, seq: Math.min(before.seq, record.seq - 1) });
    const own = (...[who, where, session]: Parameters<typeof recordUnheardCommits>) =>
      recordOwnCommit(who, where, session, commit);
    state = { ...(await withCommits(own, context, repo, state)), seq: record.seq };
  }
  if (isCompacted(record)) state = await saved(context, state, at);
  if (ends) {
    const cutOff = isEnd ? undefined : "agent";
    state = await endOfTurn(context, repo, state, { at, reading, ...(cutOff && { cutOff }) });
  }
  // Agents write their last lines late.
  else if (record.events.includes("session_shutdown")) {
    state = await readTranscript(context, state, { at });
  }
  states.put(state);
}

/** The agent is about to sum up its conversation, and may write its transcript anew. */
function isCompacted({ events, told }: HookRecord): boolean {
  return events.includes("session_before_compact") && !told.cancel;
}

/** What the transcript has by now is in git and counted, whatever becomes of it. */
async function saved(
  context: RecordingContext,
  state: SessionState,
  at: string,
): Promise<SessionState> {
  const now = await context.aside([state], async () =>
    withTranscript(context, await readTranscript(context, state, { at })),
  );
  await holdTranscripts(context, now);
  return now;
}

const WORK: readonly EventName[] = ["tool_call", "tool_execution_start", "agent_end"];

/** A hook, with the start of the turn that it implies: some agents do not tell of every prompt. */
function withUntoldStart(known: SessionState | undefined, record: HookRecord): HookRecord {
  const { agent, events } = record;
  const isOutside = known?.phase !== "active" && !events.includes("agent_start");
  if (!isOutside || !agentNamed(agent)?.hooks?.hidesPrompts) return record;
  if (!WORK.some((name) => events.includes(name))) return record;
  return { ...record, events: ["agent_start", ...events] };
}

function promptOf({ pending, turn_id }: SessionState): string | undefined {
  return pending.turns.find(({ id }) => id === turn_id)?.prompt;
}

/**
 * Agents that do not wait for the hook of a session's start may tell of the first prompt before it.
 * A start that comes after that must not end the turn.
 */
function isOvertaken({ phase, last_seen_at }: SessionState, { events, at }: HookRecord): boolean {
  return phase === "active" && events.includes("session_start") && at < last_seen_at;
}

async function withCommits(
  record: typeof recordUnheardCommits,
  context: RecordingContext,
  repo: Repo,
  before: SessionState,
): Promise<SessionState> {
  try {
    await record(context, repo, before);
  } catch (error) {
    context.log("warn", `Commits of turn ${before.turn_id} could not be recorded`, error);
  }
  const { agent, session_id, worktree_id } = before;
  return context.record.states.get(agent, session_id, worktree_id) ?? before;
}

/** The turn before this hook has no end: the user interrupted it, or the agent died. */
function isBrokenOff(state: SessionState, record: HookRecord) {
  if (!startsTurn(state, record) && !record.events.includes("session_start")) return false;
  const { phase, turn_id, turn_checkpoint_ids } = state;
  return turn_id !== turnIdOf(record) && (phase === "active" || turn_checkpoint_ids.length > 0);
}

/** An end in the middle of a turn: what was done has to be looked at now, there is no later. */
function endsWork({ phase }: SessionState, { events }: HookRecord): boolean {
  return phase === "active" && events.includes("session_shutdown");
}

interface TurnEnd extends Pick<HookRecord, "at" | "reading"> {
  /** Nobody announced the end: why, as far as the transcript does not know better. */
  readonly cutOff?: CutOff;
  /** Then, the time after which prompts are of the next turn. */
  readonly last?: string;
}

/**
 * Prompts of the turn that broke off are nearer to the last hook it was heard of by, those of the next
 * one nearer to the hook that starts it: agents write a prompt down before or after they tell of it.
 */
function between({ last_seen_at }: SessionState, { at }: HookRecord): string {
  const middle = (Date.parse(last_seen_at) + Date.parse(at)) / 2;
  return Number.isNaN(middle) ? at : new Date(middle).toISOString();
}

/** Also for a turn whose end nobody announced. */
export async function endOfTurn(
  context: RecordingContext,
  repo: Repo,
  before: SessionState,
  { at, reading, cutOff, last = at }: TurnEnd,
): Promise<SessionState> {
  const { lastMessage } = reading ?? {};
  const isOver = before.owner !== undefined && !isAlive(before.owner);
  let state = await readTranscript(context, before, { lastMessage, at: last, isOver });
  // Some agents tell that it was their user who ended the turn.
  const byUser = reading?.aborted ? "user" : undefined;
  state = { ...state, turn_cut_off: byUser ?? (cutOff && cutOffOf(state, cutOff)) };
  const ended = await turnSnapshot(context, repo, state, "end", { at });
  if (ended) state = await withTouchedFiles(context, state, ended);
  if (state.turn_cut_off) state = withRunsCutOff(state, at);
  return finished(context, { ...state, turn_ended_at: at }, at);
}

/** After its answer nothing of a turn breaks off but what its subagents do in the background. */
function cutOffOf(state: SessionState, otherwise: CutOff): CutOff | undefined {
  const { interrupted, turn_answered, owner } = state;
  if (turn_answered) return undefined;
  if (typeof interrupted === "string") return "user";
  return owner && !isAlive(owner) ? "agent" : otherwise;
}

/** The checkpoints of a turn get what came after them. */
export async function finished(
  context: RecordingContext,
  state: SessionState,
  at: string,
): Promise<SessionState> {
  try {
    // The same time whenever it is tried: so it is noticed what was done before.
    return await finalise(context, state, state.turn_ended_at ?? at);
  } catch (error) {
    // The next prompt tries again.
    context.log("warn", `Checkpoints of turn ${state.turn_id} lack the end of the turn`, error);
    return state;
  }
}

/** A session that begins has used nothing; what it uses may be there before this is recorded. */
const BEGINNINGS: ReadonlySet<string | undefined> = new Set(["startup", "new"]);

async function firstSeen(repo: Repo, { agent, at }: HookRecord, reading: Reading) {
  const { transcriptPath, start } = reading;
  const forgotten = forgottenUpTo(repo, reading.sessionId);
  const state: SessionState = {
    ...newState(identity(repo, agent, reading), at),
    ...(transcriptPath !== undefined && { transcript_path: transcriptPath }),
    ...(forgotten !== undefined && { forgotten_before: forgotten }),
  };
  return BEGINNINGS.has(start?.reason) ? state : withUsedBefore(state);
}

function identity(repo: Repo, agent: string, { sessionId }: Reading) {
  const { workTree, gitDir, worktreeId } = repo;
  return {
    session_id: sessionId,
    agent,
    work_tree: workTree ?? gitDir,
    worktree_id: worktreeId,
  };
}

async function factsFor({ log }: RecordingContext, repo: Repo, record: HookRecord) {
  const turnId = turnIdOf(record);
  const { pid, events } = record;
  const opens = events.includes("session_start") || events.includes("agent_start");
  if (!opens) return { turnId };
  const owner = pid === undefined ? undefined : agentAbove(pid);
  try {
    const { branch, commit } = await headOf(repo);
    return {
      turnId,
      ...(owner && { owner }),
      ...(branch !== undefined && { branch }),
      ...(commit !== undefined && { head: commit }),
    };
  } catch (error) {
    log("warn", `HEAD of ${repo.gitDir} cannot be read`, error);
    return { turnId, ...(owner && { owner }) };
  }
}

/** Files that tools which ran said they changed, here and in other places. */
async function withNamedFiles(
  { log, redactor }: RecordingContext,
  state: SessionState,
  repo: Repo,
  { tools = [], cwd }: Reading,
  { events, told }: HookRecord,
): Promise<SessionState> {
  if (!events.includes("tool_execution_end") || told.block || !repo.workTree) return state;
  const top = repo.workTree;
  const written = tools
    .filter(({ name, result }) => WRITES.has(name) && !result?.isError)
    .flatMap(({ input }) =>
      typeof input.path === "string" ? [resolve(cwd ?? top, input.path)] : [],
    );
  const named: string[] = [];
  const elsewhere: string[] = [];
  for (const path of written) {
    const inside = namedPaths(top, path);
    named.push(...inside.map(shownPath));
    if (inside.length > 0) continue;
    log("info", `${path} is not recorded in ${top}: it is outside, or in another repository`);
    elsewhere.push(await redactor.text(path));
  }
  return {
    ...state,
    ...together(state, "turn_files", named),
    ...together(state, "turn_elsewhere", elsewhere),
  };
}

/** A list of the state with more in it; nothing if there is no more. */
function together(
  state: SessionState,
  key: "turn_files" | "turn_elsewhere",
  more: readonly string[],
): Partial<SessionState> {
  return more.length === 0 ? {} : { [key]: [...new Set([...(state[key] ?? []), ...more])] };
}

/** What of a hook enters the session's state, on disk, is free of secrets like what enters git. */
async function withoutSecrets(
  { redactor }: RecordingContext,
  record: HookRecord,
): Promise<HookRecord> {
  const { reading, told } = record;
  const { prompt } = reading ?? {};
  const { block, ask } = told;
  const safe = async <T extends { reason: string }>(no: T) => ({
    ...no,
    reason: await redactor.text(no.reason),
  });
  return {
    ...record,
    ...(reading &&
      prompt !== undefined && { reading: { ...reading, prompt: await redactor.text(prompt) } }),
    told: {
      ...told,
      ...(block && { block: await safe(block) }),
      ...(ask && { ask: await safe(ask) }),
    },
  };
}

/** What a call that somebody decided about is about; some agents never write a stopped one down. */
async function stoppedAbout({ redactor }: RecordingContext, { reading, told }: HookRecord) {
  const about =
    (told.block || told.ask || told.allowed) && aboutCall(reading?.tools?.[0]?.input ?? {});
  return about === undefined
    ? {}
    : { about: (await redactor.text(beginningOf(about))).slice(0, MOST_ABOUT) };
}

const MOST_ABOUT = 300;

/** Long ones are in the transcript in full. */
const MAX_PROMPT = 2_000;

async function shownPrompt({ redactor }: RecordingContext, prompt: string | undefined) {
  return prompt === undefined ? {} : { prompt: (await redactor.text(prompt)).slice(0, MAX_PROMPT) };
}

/** The turn that a hook starts. The same hook, sent again after a crash, starts the same turn. */
function turnIdOf({ agent, id, seq, reading }: HookRecord): string {
  const name = [agent, reading?.sessionId, id, seq].join("\0");
  return createHash("sha256").update(name).digest("hex").slice(0, 12);
}
