import type { Command } from "commander";
import {
  type Checkpoint,
  conversation,
  costIn,
  type Found,
  findCheckpoints,
  humanChanges,
  type RepoRecord,
  readPrompt,
  readTranscript,
  type SessionState,
  type StoredSession,
} from "../../record/index.ts";
import { printJson } from "../print.ts";
import { withRecord } from "../record/open-record.ts";
import { printLong } from "../record/pager.ts";
import { showCheckpoint } from "../record/show-checkpoint.ts";
import { liveLines } from "../record/show-live.ts";

interface Options {
  expand?: boolean;
  transcript?: boolean;
  json?: boolean;
}

export function addShow(program: Command): void {
  program
    .command("show")
    .description("what is behind a commit: prompts, tool calls, skills, files, tokens")
    .argument("<what>", "a commit, a checkpoint or a session")
    .option("--expand", "show what skills are folded over")
    .option("--transcript", "print the stored transcript as it is")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  seam show HEAD\n  seam show 3f2a9c1b77de --expand\n  seam show HEAD --json",
    )
    .action((what: string, options: Options) =>
      withRecord((record) => show(record, what, options)),
    );
}

/** A session of a checkpoint with all that is shown of it. */
async function read({ store }: RepoRecord, checkpoint: Checkpoint, session: StoredSession) {
  const { index, metadata } = session;
  return {
    index,
    metadata,
    prompt: await readPrompt(store, checkpoint, index),
    conversation: await conversation(store, checkpoint, session),
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
  const known = transcript && costIn(transcript, from);
  return known === undefined ? {} : { cost: known };
}

export type ShownSession = Awaited<ReturnType<typeof read>>;

async function show(record: RepoRecord, what: string, options: Options): Promise<void> {
  const found = await findOrLive(record, what);
  if ("live" in found) return showLive(found.live, options);
  if (options.transcript) return printTranscripts(record, found);
  const shown = await Promise.all(
    found.checkpoints.map(async (checkpoint) => ({
      checkpoint,
      sessions: await Promise.all(checkpoint.sessions.map((one) => read(record, checkpoint, one))),
    })),
  );
  if (options.json) {
    const { commit, by } = found;
    return printJson({
      by,
      ...(commit && { commit: { id: commit.id, message: commit.message } }),
      checkpoints: shown.map(({ checkpoint: { id, metadata }, sessions }) => ({
        id,
        metadata,
        sessions,
      })),
    });
  }
  const lines = shown.flatMap(({ checkpoint, sessions }) =>
    showCheckpoint(checkpoint, sessions, found, { expand: options.expand === true }),
  );
  await printLong(lines);
}

/** A session that has no checkpoint yet is known from its state alone. */
async function findOrLive(
  { store, states }: RepoRecord,
  what: string,
): Promise<Found | { live: SessionState }> {
  try {
    return await findCheckpoints(store, what);
  } catch (error) {
    const named = what === "" ? [] : states.all().filter((one) => one.session_id.startsWith(what));
    const [live] = named;
    if (!live || named.length > 1) throw error;
    return { live };
  }
}

async function showLive(live: SessionState, { json }: Options): Promise<void> {
  if (!json) return printLong(liveLines(live));
  const { scan: _, stored: __, ...rest } = live;
  printJson({ by: "session", session: rest, checkpoints: [] });
}

async function printTranscripts({ store }: RepoRecord, { checkpoints }: Found): Promise<void> {
  for (const checkpoint of checkpoints) {
    for (const { index } of checkpoint.sessions) {
      process.stdout.write((await readTranscript(store, checkpoint, index)) ?? "");
    }
  }
}
