import { joinStories, type StoryEntry, type ToldStory } from "../../agents/index.ts";
import { type SkillEvent, type TokenUsage, tokensSince } from "../../events/index.ts";
import type { RecordingContext } from "../recording-context.ts";
import { mergeSkillEvents } from "./skill-events.ts";
import type { AllowedCall, BlockedCall, SessionState } from "./state.ts";

/** What is collected of a turn while it is under way. */
export interface TurnTold {
  /** What the session had used when the turn began. */
  readonly used_before: TokenUsage;
  readonly story: ToldStory;
  /** What a checkpoint already has, from a commit in the middle of the turn. */
  readonly blocked_calls: readonly BlockedCall[];
  readonly allowed_calls?: readonly AllowedCall[];
  readonly skill_events: readonly SkillEvent[];
}

/**
 * What happened in a turn, in git with the snapshot of its end: so it can be told without the
 * agent's transcript and without the state of the session. Bounded, and free of secrets.
 */
export interface TurnStory {
  readonly model?: string;
  /** The session that this one was forked from. */
  readonly fork_of?: string;
  /** Where the session got its prompt, seen from this work tree. */
  readonly works_in?: string;
  readonly token_usage: TokenUsage;
  readonly told: ToldStory;
  readonly blocked_calls?: readonly BlockedCall[];
  readonly allowed_calls?: readonly AllowedCall[];
  readonly skill_events?: readonly SkillEvent[];
}

export function newTelling({ token_usage }: SessionState): TurnTold {
  return { used_before: token_usage, story: { entries: [] }, blocked_calls: [], skill_events: [] };
}

/** What is pending of the turn under way, before a checkpoint takes it up. */
export function keptTelling(state: SessionState): Pick<SessionState, "turn_told"> {
  const { turn_told } = state;
  if (!turn_told) return {};
  return { turn_told: { ...turn_told, ...ofTurn(state) } };
}

/** With what the transcript told since it was read last, or anew if its agent wrote it anew. */
export function withTold(
  state: SessionState,
  told: ToldStory,
  { isAnew = false }: { readonly isAnew?: boolean } = {},
): SessionState {
  const { turn_told } = state;
  if (!turn_told || (told.entries.length === 0 && !told.started_by)) return state;
  const before = turn_told.story;
  const isFirst = before.entries.length === 0;
  const since = isAnew || isFirst ? sincePrompt(state, told) : told;
  const known = new Set(isAnew ? before.entries.map(asKey) : []);
  const fresh = { ...since, entries: since.entries.filter((one) => !known.has(asKey(one))) };
  return { ...state, turn_told: { ...turn_told, story: joinStories(before, fresh) } };
}

function asKey({ kind, text, call_id }: StoryEntry): string {
  return JSON.stringify([kind, text, call_id]);
}

/** A session that was forked or came from elsewhere brings its whole history with it. */
function sincePrompt({ pending, turn_id }: SessionState, told: ToldStory): ToldStory {
  const asked = pending.turns.find(({ id }) => id === turn_id)?.prompt?.trim() ?? "";
  if (asked === "") return told;
  const at = told.entries.findLastIndex(
    ({ kind, text = "" }) => kind === "prompt" && asked.startsWith(text.trim()),
  );
  const { started_by } = told;
  return at <= 0 ? told : { entries: told.entries.slice(at), ...(started_by && { started_by }) };
}

export function storyOf(state: SessionState): TurnStory | undefined {
  const { turn_told, model, fork_of, works_in, token_usage } = state;
  if (!turn_told) return undefined;
  const { blocked_calls, allowed_calls = [], skill_events } = ofTurn(state);
  return {
    ...(model !== undefined && { model }),
    ...(fork_of !== undefined && { fork_of }),
    ...(works_in !== undefined && { works_in }),
    token_usage: tokensSince(turn_told.used_before, token_usage),
    told: turn_told.story,
    ...(blocked_calls.length > 0 && { blocked_calls: blocked_calls.slice(-MOST_OF_A_KIND) }),
    ...(allowed_calls.length > 0 && { allowed_calls: allowed_calls.slice(-MOST_OF_A_KIND) }),
    ...(skill_events.length > 0 && { skill_events: skill_events.slice(-MOST_OF_A_KIND) }),
  };
}

const MOST_OF_A_KIND = 100;

function ofTurn({ turn_told, turn_id, pending }: SessionState) {
  const isOfTurn = (one: { turn_id?: string }) => one.turn_id === turn_id;
  const joined = <Call extends { turn_id?: string }>(
    known: readonly Call[] = [],
    more: readonly Call[] = [],
  ) => [...known, ...more.filter((call) => isOfTurn(call) && !known.includes(call))];
  const allowed_calls = joined(turn_told?.allowed_calls, pending.allowed_calls);
  const skills = pending.skill_events.filter(isOfTurn);
  return {
    blocked_calls: joined(turn_told?.blocked_calls, pending.blocked_calls),
    ...(allowed_calls.length > 0 && { allowed_calls }),
    skill_events: mergeSkillEvents(turn_told?.skill_events ?? [], skills),
  };
}

/** A line on a wide screen; prompts and transcripts are kept in full elsewhere. */
const MOST_TEXT = 300;

/** The whole texts are searched for secrets before they are cut: half a secret is not recognised. */
export async function safeStory(
  { redactor }: Pick<RecordingContext, "redactor">,
  told: ToldStory,
): Promise<ToldStory> {
  if (told.entries.length === 0) return told;
  const texts = told.entries.map(({ text = "", tool = "" }) => [text, tool]);
  const { bytes } = await redactor.document(Buffer.from(JSON.stringify(texts)));
  const safe: unknown = JSON.parse(bytes.toString());
  const entries = told.entries.map((entry, index): StoryEntry => {
    const { text: _, tool: __, ...rest } = entry;
    const [text, tool] = pairAt(safe, index);
    return {
      ...rest,
      ...(text !== "" && { text: text.slice(0, MOST_TEXT) }),
      ...(tool !== "" && { tool: tool.slice(0, MOST_TEXT) }),
    };
  });
  return { ...told, entries };
}

function pairAt(texts: unknown, index: number): [string, string] {
  const pair: unknown = Array.isArray(texts) ? texts[index] : undefined;
  const [text, tool]: unknown[] = Array.isArray(pair) ? pair : [];
  return [typeof text === "string" ? text : "", typeof tool === "string" ? tool : ""];
}
