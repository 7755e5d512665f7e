import {
  type Checkpoint,
  conversation,
  costIn,
  humanChanges,
  type RepoRecord,
  readPrompt,
  readTranscript,
  type StoredSession,
  subagentWork,
} from "../../record/index.ts";

/** A session of a checkpoint with all that is shown of it. */
export async function shownSession(
  { store }: RepoRecord,
  checkpoint: Checkpoint,
  session: StoredSession,
) {
  const { index, metadata } = session;
  const said = await conversation(store, checkpoint, session);
  return {
    index,
    metadata,
    /** When the work on it began; a commit may come much later. */
    at: said?.find(({ entry }) => entry.at !== undefined)?.entry.at ?? metadata.created_at,
    prompt: await readPrompt(store, checkpoint, index),
    conversation: said,
    subagents: Object.fromEntries(await subagentWork(store, metadata)),
    changedByOthers: await humanChanges(store, metadata),
    ...(await cost(store, checkpoint, session)),
  };
}

async function cost(
  store: RepoRecord["store"],
  checkpoint: Checkpoint,
  { index, metadata }: StoredSession,
): Promise<{ cost?: number }> {
  const transcript = await readTranscript(store, checkpoint, index);
  const from = metadata.checkpoint_transcript_start ?? 0;
  const known = transcript && costIn(transcript, from, metadata.checkpoint_transcript_end);
  return known === undefined ? {} : { cost: known };
}

export type ShownSession = Awaited<ReturnType<typeof shownSession>>;
