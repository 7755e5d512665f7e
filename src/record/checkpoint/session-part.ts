import { agentNamed } from "../../agents/index.ts";
import { SKILL_EVENTS_VERSION, type SkillEvent } from "../../events/index.ts";
import type { RecordingContext } from "../recording-context.ts";
import type { AllowedCall, BlockedCall, SessionState, StoredTranscript } from "../session/state.ts";
import type { SessionMetadata } from "./metadata.ts";
import type { SessionPart } from "./write-checkpoint.ts";

/** A session as it goes into a new checkpoint: what is pending of it. */
export async function sessionPart(
  context: RecordingContext,
  state: SessionState,
  about: {
    readonly commit?: string;
    readonly branch?: string;
    readonly files: readonly string[];
    /** Those of the files that another session may have changed in its place. */
    readonly oneOf?: readonly string[];
  },
): Promise<SessionPart> {
  const { pending } = state;
  const now = Date.now();
  const { branch, oneOf = [] } = about;
  const safe = (name: string) => context.redactor.text(name);
  const metadata: SessionPart["metadata"] = {
    cli_version: context.version,
    session_id: state.session_id,
    ...(state.fork_of !== undefined && { fork_of: state.fork_of }),
    created_at: new Date(now).toISOString(),
    // People put secrets into names too.
    ...(branch !== undefined && { branch: await safe(branch) }),
    ...(about.commit !== undefined && { commit_sha: about.commit }),
    checkpoints_count: pending.turns.length,
    files_touched: (await Promise.all(about.files.map(safe))).sort(),
    ...(oneOf.length > 0 && { files_one_of: (await Promise.all(oneOf.map(safe))).sort() }),
    agent: agentNamed(state.agent)?.type ?? state.agent,
    model: state.model ?? "",
    ...(state.turn_id !== undefined && { turn_id: state.turn_id }),
    turn_ids: pending.turns.map(({ id }) => id),
    ...(state.turn_cut_off && { cut_off: state.turn_cut_off }),
    checkpoint_transcript_start: transcriptStart(state),
    ...(state.next_prompt !== undefined && { checkpoint_transcript_end: state.next_prompt }),
    ...(state.works_in === undefined
      ? { token_usage: pending.token_usage }
      : { works_in: await safe(state.works_in) }),
    ...skillFields(pending.skill_events),
    ...(await blockedFields(context, pending.blocked_calls)),
    ...allowedFields(pending.allowed_calls),
    ...redactionFields(state.stored),
    session_metrics: {
      turn_count: state.turn_count,
      duration_ms: Math.max(0, now - Date.parse(state.started_at)),
    },
  };
  return { metadata, ...transcriptOf(state), prompts: await promptsOf(context, state) };
}

/** Prompts of the pending turns, free of secrets. */
export function promptsOf(
  { redactor }: RecordingContext,
  { pending }: SessionState,
): Promise<string[]> {
  const said = pending.turns.flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt]));
  return Promise.all(said.map((text) => redactor.text(text)));
}

/** Where the part of the transcript starts that belongs to what is pending. */
function transcriptStart({ pending, transcript_position = 0 }: SessionState): number {
  return Math.min(...pending.turns.map((turn) => turn.transcript_start), transcript_position);
}

/** Both are absent when there are none. */
export function skillFields(events: readonly SkillEvent[]): Partial<SessionMetadata> {
  if (events.length === 0) return {};
  return { skill_events_version: SKILL_EVENTS_VERSION, skill_events: events };
}

export async function blockedFields(
  { redactor }: RecordingContext,
  calls: readonly BlockedCall[],
): Promise<Partial<SessionMetadata>> {
  if (calls.length === 0) return {};
  const clean = calls.map(async (call) => ({ ...call, reason: await redactor.text(call.reason) }));
  return { blocked_calls: await Promise.all(clean) };
}

/** Absent when there are none. What each is about was freed of secrets when it was taken down. */
export function allowedFields(calls: readonly AllowedCall[] = []): Partial<SessionMetadata> {
  return calls.length === 0 ? {} : { allowed_calls: calls };
}

export function redactionFields(stored: StoredTranscript | undefined): Partial<SessionMetadata> {
  return stored && stored.redactions.length > 0 ? { redactions: stored.redactions } : {};
}

export function transcriptOf({
  stored,
  earlier = [],
}: Pick<SessionState, "stored" | "earlier">): Pick<SessionPart, "transcript"> {
  if (!stored) return {};
  const { contentHash } = stored;
  return {
    transcript: { chunks: allChunks(stored), contentHash, earlier: earlier.map(allChunks) },
  };
}

function allChunks({ chunks, tail }: StoredTranscript): readonly string[] {
  return tail === undefined ? chunks : [...chunks, tail];
}
