import { addTokens, noTokens, type SkillEvent } from "../../events/index.ts";
import type { RecordingContext } from "../recording-context.ts";
import { knownAmong, mergeSkillEvents } from "../session/skill-events.ts";
import type { SessionState } from "../session/state.ts";
import { unpended } from "../session/step.ts";
import { PROMPT_SEPARATOR } from "./checkpoint-files.ts";
import { releaseTranscripts } from "./held-transcripts.ts";
import type { SessionMetadata } from "./metadata.ts";
import { readCheckpoint, readPrompt } from "./read-checkpoint.ts";
import {
  allowedFields,
  blockedFields,
  redactionFields,
  skillFields,
  transcriptOf,
} from "./session-part.ts";
import { untilWhole, withTranscript } from "./store-transcript.ts";
import { type CheckpointRequest, type SessionPart, writeCheckpoints } from "./write-checkpoint.ts";

/**
 * Completes checkpoints of commits that were made in the middle of a turn, now that the turn is
 * over: with the whole transcript, and what came after the last commit in the last of them.
 */
export async function finalise(
  context: RecordingContext,
  state: SessionState,
  at: string,
): Promise<SessionState> {
  return untilWhole((anew) => finaliseWith(context, state, at, anew));
}

async function finaliseWith(
  context: RecordingContext,
  state: SessionState,
  at: string,
  anew: boolean,
): Promise<SessionState> {
  const ids = state.turn_checkpoint_ids;
  const last = ids.at(-1);
  if (last === undefined) return state;
  const now = await withTranscript(context, state, anew);
  const transcript = transcriptOf(now);
  const requests: CheckpointRequest[] = [];
  let skills = state.pending.skill_events;
  for (const id of ids) {
    const about = { id, at, isLast: id === last, transcript, skills };
    const request = await completed(context, state, about);
    if (!request) continue;
    requests.push(request);
    const written = request.parts.flatMap(({ metadata }) => metadata.skill_events ?? []);
    const done = new Set(knownAmong(written, skills));
    skills = skills.filter((event) => !done.has(event));
  }
  if (requests.length === 0) {
    context.log("warn", `Checkpoint ${last} is gone: the end of its turn waits for the next one`);
    return { ...state, turn_checkpoint_ids: [] };
  }
  const redactions = redactionFields(now.stored);
  await writeCheckpoints(
    context.record.store,
    `Finalize checkpoint: ${last}`,
    requests.map((request, index) => ({
      ...request,
      parts: request.parts.map((part) => ({
        ...part,
        metadata: {
          ...part.metadata,
          ...redactions,
          ...endBefore(part, requests[index + 1], state.next_prompt),
        },
      })),
    })),
    context.log,
  );
  await releaseTranscripts(context.record.repo, state.session_id);
  const { earlier: _, ...rest } = unpended(now, state.pending.files);
  const { turn_id, transcript_position = 0 } = state;
  // What still waits comes without the work that is in the last of them.
  const turns = rest.pending.turns.map((turn) =>
    turn.id === turn_id ? { ...turn, transcript_start: transcript_position } : turn,
  );
  return {
    ...rest,
    pending: { ...rest.pending, turns },
    turn_checkpoint_ids: [],
  };
}

/** All have the whole transcript: what the next one or the next turn tells is not told by this one too. */
function endBefore(
  { metadata }: SessionPart,
  next: CheckpointRequest | undefined,
  nextPrompt = 0,
): Pick<SessionMetadata, "checkpoint_transcript_end"> {
  const start = metadata.checkpoint_transcript_start ?? 0;
  const end = next ? (next.parts[0]?.metadata.checkpoint_transcript_start ?? 0) : nextPrompt;
  return end > start ? { checkpoint_transcript_end: end } : {};
}

interface Completion {
  readonly id: string;
  /** When the turn ended. */
  readonly at: string;
  /** What came after the last commit goes into this one. */
  readonly isLast: boolean;
  readonly transcript: ReturnType<typeof transcriptOf>;
  /** Those that are in no earlier checkpoint. */
  readonly skills: readonly SkillEvent[];
}

async function completed(
  context: RecordingContext,
  state: SessionState,
  { id, at, isLast, transcript, skills }: Completion,
): Promise<CheckpointRequest | undefined> {
  const { store } = context.record;
  const checkpoint = await readCheckpoint(store, id);
  const session = checkpoint?.sessions.find(
    ({ metadata }) => metadata.session_id === state.session_id,
  );
  if (!checkpoint || !session) return undefined;
  const text = await readPrompt(store, checkpoint, session.index);
  const prompts = text ? text.split(PROMPT_SEPARATOR) : [];
  // After a crash in between it is complete already: tokens must not count twice.
  const isDone = session.metadata.finalized_at === at;
  const rest = isLast && !isDone ? await restOfTurn(context, state, session.metadata) : {};
  const { skill_events: before = [] } = session.metadata;
  // What a hook told before a commit has its place in the transcript only now.
  const known = isLast ? skills : knownAmong(before, skills);
  return {
    id,
    parts: [
      {
        metadata: {
          ...session.metadata,
          model: state.model ?? session.metadata.model,
          finalized_at: at,
          ...(isLast && state.turn_cut_off && { cut_off: state.turn_cut_off }),
          ...rest,
          ...(!isDone && skillFields(mergeSkillEvents(before, known))),
        },
        ...transcript,
        prompts,
      },
    ],
  };
}

async function restOfTurn(
  context: RecordingContext,
  { pending, works_in }: SessionState,
  before: SessionMetadata,
): Promise<Partial<SessionMetadata>> {
  const blocked = [...(before.blocked_calls ?? []), ...pending.blocked_calls];
  return {
    ...(works_in === undefined && {
      token_usage: addTokens(before.token_usage ?? noTokens(), pending.token_usage),
    }),
    ...(await blockedFields(context, blocked)),
    ...allowedFields([...(before.allowed_calls ?? []), ...(pending.allowed_calls ?? [])]),
  };
}
