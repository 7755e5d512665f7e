import { addTokens, noTokens } from "../../events/index.ts";
import type { Keeper } from "../keeper.ts";
import { mergeSkillEvents } from "../session/skill-events.ts";
import type { SessionState } from "../session/state.ts";
import { unpended } from "../session/step.ts";
import type { SessionMetadata } from "./metadata.ts";
import { PROMPT_SEPARATOR } from "./place.ts";
import { readCheckpoint, readPrompt } from "./read-checkpoint.ts";
import { blockedFields, redactionFields, skillFields, transcriptOf } from "./session-part.ts";
import { storeTranscript } from "./store-transcript.ts";
import { type CheckpointRequest, writeCheckpoints } from "./write-checkpoint.ts";

/**
 * Completes checkpoints of commits that were made in the middle of a turn, now that the turn is
 * over: with the whole transcript, and what came after the last commit in the last of them.
 */
export async function finalise(keeper: Keeper, state: SessionState): Promise<SessionState> {
  const ids = state.turn_checkpoint_ids;
  const last = ids.at(-1);
  if (last === undefined) return state;
  const stored = await storeTranscript(keeper, state);
  const requests: CheckpointRequest[] = [];
  for (const id of ids) {
    const request = await completed(keeper, state, id, id === last, transcriptOf(stored));
    if (request) requests.push(request);
  }
  const redactions = redactionFields(stored);
  await writeCheckpoints(
    keeper.record.store,
    `Finalize checkpoint: ${last}`,
    requests.map((request) => ({
      ...request,
      parts: request.parts.map((part) => ({
        ...part,
        metadata: { ...part.metadata, ...redactions },
      })),
    })),
  );
  return {
    ...unpended(state, state.pending.files),
    ...(stored && { stored }),
    turn_checkpoint_ids: [],
  };
}

async function completed(
  keeper: Keeper,
  state: SessionState,
  id: string,
  isLast: boolean,
  transcript: ReturnType<typeof transcriptOf>,
): Promise<CheckpointRequest | undefined> {
  const { store } = keeper.record;
  const checkpoint = await readCheckpoint(store, id);
  const session = checkpoint?.sessions.find(
    ({ metadata }) => metadata.session_id === state.session_id,
  );
  if (!checkpoint || !session) return undefined;
  const text = await readPrompt(store, checkpoint, session.index);
  const prompts = text ? text.split(PROMPT_SEPARATOR) : [];
  const rest = isLast ? await restOfTurn(keeper, state, session.metadata) : {};
  return {
    id,
    parts: [
      {
        metadata: { ...session.metadata, model: state.model ?? session.metadata.model, ...rest },
        ...transcript,
        prompts,
      },
    ],
  };
}

async function restOfTurn(
  keeper: Keeper,
  { pending }: SessionState,
  before: SessionMetadata,
): Promise<Partial<SessionMetadata>> {
  const skills = mergeSkillEvents(before.skill_events ?? [], pending.skill_events);
  const blocked = [...(before.blocked_calls ?? []), ...pending.blocked_calls];
  return {
    token_usage: addTokens(before.token_usage ?? noTokens(), pending.token_usage),
    ...skillFields(skills),
    ...(await blockedFields(keeper, blocked)),
  };
}
