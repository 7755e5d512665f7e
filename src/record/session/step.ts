import { randomBytes } from "node:crypto";
import { addTokens, type EventName, type SkillEvent } from "../../events/index.ts";
import type { HookRecord } from "../recorder.ts";
import { nothingPending } from "./new-state.ts";
import { withRun, withRunEnded, withSilentTurn, withSilentTurnEnded } from "./runs.ts";
import { isNamed, mergeSkillEvents, usesOf } from "./skill-events.ts";
import type { AllowedCall, BlockedCall, PendingTurn, ProcessId, SessionState } from "./state.ts";
import { keptTelling, newTelling } from "./turn-story.ts";

/** What the outside has to add to a hook for a step: made up ids, the process, the branch. */
export interface StepFacts {
  readonly turnId: string;
  readonly owner?: ProcessId;
  readonly branch?: string;
  readonly head?: string;
  /** What a call that was stopped is about, free of secrets. */
  readonly about?: string;
}

type Step = (state: SessionState, record: HookRecord, facts: StepFacts) => SessionState;

/** Session state after one hook. Pure: whatever touches files comes after. */
export function step(state: SessionState, record: HookRecord, facts: StepFacts): SessionState {
  if (isKnown(state, record)) return state;
  let next: SessionState = { ...state, ...seen(state, record) };
  if (isLaterWork(next, record)) {
    next = withSilentTurn({ ...next, ...goingOn(next), turn_answered: true }, record.at);
  }
  for (const event of record.events) next = STEPS[event]?.(next, record, facts) ?? next;
  next = withAllowedCall(withBlockedCall(next, record, facts), record, facts);
  // Some agents do not tell the end of a turn that was interrupted.
  return record.told.interrupt ? { ...next, interrupted: record.at } : next;
}

/** Subagents in the background work on when the agent has answered: its turn is under way again. */
function isLaterWork({ phase, turn_id, turn_answered }: SessionState, record: HookRecord) {
  if (phase !== "idle" || turn_id === undefined || !turn_answered) return false;
  return record.reading?.inSubagent !== undefined || record.events.includes("subagent_end");
}

/** A turn that goes on, with what it needs to be in a checkpoint once more. */
export function goingOn(state: SessionState): SessionState {
  const { pending, turn_id, turn_prompt: prompt, transcript_position = 0 } = state;
  const isPending = turn_id === undefined || pending.turns.some(({ id }) => id === turn_id);
  const turns = isPending
    ? pending.turns
    : [
        ...pending.turns,
        {
          id: turn_id,
          ...(prompt !== undefined && { prompt }),
          transcript_start: transcript_position,
        },
      ];
  return { ...unanswered(state), phase: "active", pending: { ...pending, turns } };
}

function unanswered({ turn_answered: _, turn_cut_off: __, ...state }: SessionState): SessionState {
  return state;
}

function ended(state: SessionState): SessionState {
  const { pending, turn_id } = state;
  const skill_events = inTurn(pending.skill_events, turn_id);
  const phase = state.phase === "ended" ? "ended" : "idle";
  return { ...state, phase, pending: { ...pending, skill_events } };
}

/** Beyond them, those of the earliest turns are forgotten. */
const MOST_EARLIER_FILES = 200;

/** A session whose turn takes longer must still know whose these files are. */
function withEarlierFiles(state: SessionState): Pick<SessionState, "earlier_files"> {
  const { turn_files = [], earlier_files = {}, turn_ended_at, last_seen_at } = state;
  if (turn_files.length === 0) return {};
  const over = turn_ended_at ?? last_seen_at;
  const again = new Set(turn_files);
  const before = Object.entries(earlier_files).filter(([path]) => !again.has(path));
  const all = [...before, ...turn_files.map((path) => [path, over] as const)];
  return { earlier_files: Object.fromEntries(all.slice(-MOST_EARLIER_FILES)) };
}

const STEPS: Partial<Record<EventName, Step>> = {
  session_start: (state, _, facts) => reopened({ ...state, phase: "idle" }, facts),
  agent_start: (state, record, facts) => {
    if (goesOn(state, record)) return reopened(withSilentTurn(goingOn(state), record.at), facts);
    if (!startsTurn(state, record)) return state;
    // The same hook comes again after a crash.
    if (state.turn_id === facts.turnId) return reopened({ ...state, phase: "active" }, facts);
    const { reading } = record;
    const rest = withoutTurn(unanswered(state));
    const { pending, transcript_position = 0 } = state;
    const prompt = reading?.prompt;
    const turn: PendingTurn = {
      id: facts.turnId,
      ...(prompt !== undefined && { prompt }),
      transcript_start: transcript_position,
    };
    return reopened(
      withSilentTurn(
        {
          ...rest,
          phase: "active",
          turn_id: facts.turnId,
          turn_started_at: record.at,
          turn_prompt: prompt,
          turn_ran_shell: false,
          ...withEarlierFiles(state),
          turn_count: state.turn_count + 1,
          turn_told: newTelling(state),
          turn_checkpoint_ids: [],
          pending: {
            ...pending,
            turns: [...pending.turns, turn],
            skill_events: inTurn(pending.skill_events, facts.turnId),
          },
        },
        record.at,
      ),
      facts,
    );
  },
  // Not every agent tells of all three.
  tool_call: withRun,
  tool_execution_start: (state, record) => {
    const { reading, told } = record;
    if (told.block) return state;
    const tools = reading?.tools ?? [];
    const open_calls = [...(state.open_calls ?? []), ...tools.map(({ callId }) => callId)];
    return { ...withRun(state, record), open_calls: open_calls.slice(-MOST_OPEN_CALLS) };
  },
  tool_execution_end: (before, record) => {
    const { reading, told } = record;
    const state = withRunEnded(before, record);
    const ended = new Set(reading?.tools?.map(({ callId }) => callId));
    const { open_calls = [], ...rest } = state;
    const left = open_calls.filter((id) => !ended.has(id));
    const next = { ...rest, ...(left.length > 0 && { open_calls: left }) };
    return told.block ? next : withoutAskedCall(next, reading?.tools?.[0]?.callId);
  },
  skill_invoked: (state, { reading, at }) =>
    reading?.skill
      ? withToldSkill(state, {
          timestamp: at,
          ...reading.skill,
          ...skillTurn(state, reading.skill),
        })
      : state,
  agent_end: (state, record) => {
    if (!endsTurn(state, record)) return state;
    return { ...withSilentTurnEnded(ended(state), record.at), turn_answered: true };
  },
  subagent_end: (state, record) => (endsTurn(state, record) ? ended(state) : state),
  session_shutdown: (state, { at }) => ({
    ...state,
    phase: "ended",
    ended_at: at,
    ended_by: "agent",
  }),
};

/** The state without what concerns only the last turn. */
function withoutTurn(state: SessionState): SessionState {
  const { turn_start_tree: _, turn_files: __, turn_skills: ___, ...rest } = state;
  const { interrupted: ____, turn_ended_at: _____, turn_cut_off: ______, ...left } = rest;
  const { turn_elsewhere: _______, open_calls: ________, ...others } = left;
  const { turn_taken_up: _________, turn_looked_at: __________, ...more } = others;
  const { turn_gone: ___________, ...last } = more;
  return last;
}

/** A prompt that an extension refused starts nothing. */
export function startsTurn(state: SessionState, record: HookRecord): boolean {
  const { events, told } = record;
  const isHeard = events.includes("agent_start") && told.prompt?.blocked === undefined;
  return isHeard && !goesOn(state, record);
}

/** Work without a prompt belongs to the last prompt. */
function goesOn({ turn_id }: SessionState, { events, reading }: HookRecord): boolean {
  return events.includes("agent_start") && reading?.unasked === true && turn_id !== undefined;
}

/**
 * An agent that was told to go on has not stopped. After its answer a turn ends as often as one of
 * its subagents in the background does.
 */
export function endsTurn(
  { phase, turn_answered }: SessionState,
  { events, told }: HookRecord,
): boolean {
  if (events.includes("agent_end")) return told.goOn === undefined;
  return events.includes("subagent_end") && turn_answered === true && phase !== "ended";
}

/** An agent starts no more calls at once; of those that it gave up the end is never told. */
const MOST_OPEN_CALLS = 32;

/**
 * Whether a hook was dealt with already: it comes again after a crash. A number that is low in spite
 * of its time is of a journal that began anew, because somebody deleted the one before.
 */
export function isKnown({ seq, last_seen_at }: SessionState, record: HookRecord): boolean {
  return record.seq <= seq && record.at <= last_seen_at;
}

/** Hooks of some agents name the provider too, and their transcripts do not: one name is kept. */
function asKnown(told: string, known: string | undefined): string {
  return known !== undefined && told.endsWith(`/${known}`) ? known : told;
}

function seen({ last_seen_at, model }: SessionState, { seq, at, reading }: HookRecord) {
  return {
    seq,
    last_seen_at: at > last_seen_at ? at : last_seen_at,
    ...(reading?.model !== undefined && { model: asKnown(reading.model, model) }),
    ...(reading?.transcriptPath !== undefined && { transcript_path: reading.transcriptPath }),
    ...(reading?.transcriptEnd !== undefined && { transcript_end: reading.transcriptEnd }),
  };
}

function reopened(state: SessionState, { owner, branch, head }: StepFacts): SessionState {
  const { ended_at: _, ended_by: __, ...open } = state;
  return {
    ...open,
    ...(owner && { owner }),
    ...(branch !== undefined && { branch }),
    ...(head !== undefined && { base_commit: head }),
  };
}

/** A skill that the user typed belongs to the turn that is about to start with it. */
function skillTurn(state: SessionState, { event_type }: SkillEvent): { turn_id?: string } {
  return event_type === "prompt_invocation" ? {} : turnOf(state);
}

function inTurn(events: readonly SkillEvent[], turn_id: string | undefined): SkillEvent[] {
  return events.map((event) => ({ ...(turn_id !== undefined && { turn_id }), ...event }));
}

function turnOf({ turn_id }: SessionState): { turn_id?: string } {
  return turn_id === undefined ? {} : { turn_id };
}

function withBlockedCall(state: SessionState, record: HookRecord, facts: StepFacts): SessionState {
  const { told } = record;
  const decided = decidedCall(state, record, facts);
  const stopped = told.block ?? told.ask;
  if (!stopped || !decided) return state;
  const call: BlockedCall = { ...decided, ...stopped, ...(!told.block && { asked: true }) };
  const { pending } = state;
  return {
    ...state,
    pending: { ...pending, blocked_calls: [...pending.blocked_calls, call] },
  };
}

function withAllowedCall(state: SessionState, record: HookRecord, facts: StepFacts): SessionState {
  const { allowed } = record.told;
  const decided = allowed && decidedCall(state, record, facts);
  return decided ? withAllowed(state, { ...decided, ...allowed }) : state;
}

function withAllowed(state: SessionState, call: AllowedCall): SessionState {
  const { pending } = state;
  const allowed_calls = [...(pending.allowed_calls ?? []), call];
  return { ...state, pending: { ...pending, allowed_calls } };
}

/** The call that a hook decided about, as it is kept. */
function decidedCall(state: SessionState, { reading, at }: HookRecord, { about }: StepFacts) {
  const tool = reading?.tools?.[0];
  return (
    tool && {
      tool: tool.name,
      ...(about !== undefined && { about }),
      tool_use_id: tool.callId,
      ...turnOf(state),
      at,
    }
  );
}

/** A call that the agent was to ask about did run: the answer in its own dialog was yes. */
function withoutAskedCall(state: SessionState, id: string | undefined): SessionState {
  const { pending } = state;
  const isAnswered = ({ asked, tool_use_id }: BlockedCall) => asked && tool_use_id === id;
  const answered = pending.blocked_calls.find(isAnswered);
  if (!answered) return state;
  const blocked_calls = pending.blocked_calls.filter((call) => !isAnswered(call));
  const { asked: _, reason: __, ...call } = answered;
  const next = { ...state, pending: { ...pending, blocked_calls } };
  return withAllowed(next, { ...call, who: "the agent's own dialog" });
}

/** A use that nothing names is new unless the transcript has told of as many in this turn already. */
function withToldSkill(state: SessionState, event: SkillEvent): SessionState {
  if (isNamed(event)) return withSkills(state, [event]);
  const { pending, told_skills = [], turn_skills = {} } = state;
  const uses = usesOf(event);
  const told = (turn_skills[uses] ?? 0) + 1;
  const known = [...pending.skill_events.map(usesOf), ...told_skills].filter((one) => one === uses);
  const next = { ...state, turn_skills: { ...turn_skills, [uses]: told } };
  if (told <= known.length) return next;
  return { ...next, pending: { ...pending, skill_events: [...pending.skill_events, event] } };
}

/** Skill events from a hook or from the transcript: the same one counts once. */
export function withSkills(
  state: SessionState,
  events: SessionState["pending"]["skill_events"],
): SessionState {
  if (events.length === 0) return state;
  const { pending } = state;
  return {
    ...state,
    pending: { ...pending, skill_events: mergeSkillEvents(pending.skill_events, events) },
  };
}

/** What a scan of the transcript found since the last one. */
export function withUsage(
  state: SessionState,
  tokens: SessionState["token_usage"],
  model: string | undefined,
): SessionState {
  const { pending } = state;
  return {
    ...state,
    ...(model !== undefined && { model }),
    token_usage: addTokens(state.token_usage, tokens),
    pending: { ...pending, token_usage: addTokens(pending.token_usage, tokens) },
  };
}

/**
 * After a checkpoint took up what was pending. Files it did not contain go on waiting, with the
 * turns that wrote them; a turn under way goes on from where the transcript is now.
 */
export function checkpointed(
  state: SessionState,
  id: string,
  files: SessionState["pending"]["files"],
  /** Where what came after the commit begins in the transcript. */
  { transcript_position: after = 0 }: Pick<SessionState, "transcript_position"> = state,
): SessionState {
  const midTurn = state.phase === "active";
  const { pending } = unpended(state, files);
  const rest = pending.turns.filter((turn) => !midTurn || turn.id !== state.turn_id);
  const current = state.pending.turns.find((turn) => midTurn && turn.id === state.turn_id);
  const { earlier, ...kept } = unpended(state, files);
  return {
    ...kept,
    // The end of the turn writes it once more.
    ...(midTurn && earlier && { earlier }),
    last_checkpoint_id: id,
    turn_checkpoint_ids: midTurn ? [...state.turn_checkpoint_ids, id] : [],
    pending: {
      ...pending,
      turns: current ? [...rest, { ...current, transcript_start: after }] : rest,
    },
  };
}

/** Nothing but these files is pending any more. */
export function unpended(
  state: SessionState,
  files: SessionState["pending"]["files"],
): SessionState {
  const wanted = new Set(Object.values(files).map(({ turn }) => turn));
  const turns = state.pending.turns.filter((turn) => wanted.has(turn.id));
  const kept = { ...toldSkills(state), ...keptTelling(state) };
  return { ...state, ...kept, pending: { ...nothingPending(), files, turns } };
}

/** Enough to recognise what a rewritten transcript tells once more. */
const MOST_TOLD_SKILLS = 200;

function toldSkills({
  told_skills = [],
  pending,
}: SessionState): Pick<SessionState, "told_skills"> {
  const { skill_events } = pending;
  if (skill_events.length === 0) return {};
  const ids = skill_events.flatMap(({ id }) => id ?? []);
  const all = [...told_skills.filter((id) => !ids.includes(id)), ...ids];
  return { told_skills: [...all, ...skill_events.map(usesOf)].slice(-MOST_TOLD_SKILLS) };
}

export function newTurnId(): string {
  return randomBytes(6).toString("hex");
}
