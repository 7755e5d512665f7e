import type { Command } from "commander";
import { SeamError } from "../../errors/index.ts";
import { commitFacts } from "../../git/index.ts";
import {
  type Checkpoint,
  checkpointsDamage,
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
  type Turn,
  turnNamed,
} from "../../record/index.ts";
import { printJson } from "../print.ts";
import { withRecord } from "../record/open-record.ts";
import { printLong } from "../record/pager.ts";
import { showCheckpoint } from "../record/show-checkpoint.ts";
import { liveLines } from "../record/show-live.ts";
import { checkpointsOfTurn, turnJson, turnLines } from "../record/show-turn.ts";

interface Options {
  expand?: boolean;
  transcript?: boolean;
  json?: boolean;
}

export function addShow(program: Command): void {
  program
    .command("show")
    .description("what is behind a commit: prompts, tool calls, skills, files, tokens")
    .argument("[what]", "a commit, checkpoint, session or turn", "HEAD")
    .option("--expand", "show what skills are folded over")
    .option("--transcript", "print the stored transcript as it is")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  seam show\n  seam show HEAD~2\n  seam show 3f2a9c1b77de --expand\n  seam show HEAD --json",
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
  const damage = await checkpointsDamage(record);
  if (damage) throw damage;
  const found = await findAny(record, what);
  if ("checkpoints" in found) return showFound(record, found, options);
  if (options.transcript) {
    const detail = "It is in no checkpoint yet: its agent has the only transcript.";
    throw new SeamError("SEAM_USAGE", { detail });
  }
  return "live" in found ? showLive(found.live, options) : showTurn(record, found.turn, options);
}

async function showFound(record: RepoRecord, found: Found, options: Options): Promise<void> {
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
  const lines: string[] = [];
  for (const { checkpoint, sessions } of shown) {
    const about = found.commit ? found : await withCommit(record, checkpoint, found);
    const expand = options.expand === true;
    const root = record.repo.workTree;
    lines.push(...showCheckpoint(checkpoint, sessions, about, { expand, root }));
  }
  await printLong(lines);
}

/** The commit a checkpoint was made for, if it is here. */
async function withCommit(
  { store }: RepoRecord,
  { metadata }: Checkpoint,
  found: Found,
): Promise<Found> {
  const { commit_sha } = metadata;
  const commit = commit_sha && (await commitFacts(store, commit_sha).catch(() => undefined));
  return commit ? { ...found, commit } : found;
}

/** A session that has no checkpoint yet is known from its state alone, a turn from its snapshots. */
async function findAny(
  { store, states }: RepoRecord,
  what: string,
): Promise<Found | { live: SessionState } | { turn: Turn }> {
  try {
    return await findCheckpoints(store, what);
  } catch (error) {
    const named = what === "" ? [] : states.all().filter((one) => one.session_id.startsWith(what));
    const [live] = named;
    if (named.length > 1) {
      const list = named.map(({ session_id }) => `\n  ${session_id}`).join("");
      throw new SeamError("SEAM_RECORD_AMBIGUOUS", { name: what, list });
    }
    if (live) return { live };
    const turn = await turnNamed(store, what);
    if (!turn) throw error;
    return { turn };
  }
}

async function showLive(live: SessionState, { json }: Options): Promise<void> {
  if (!json) return printLong(liveLines(live));
  const { scan: _, stored: __, ...rest } = live;
  printJson({ by: "session", session: rest, checkpoints: [] });
}

async function showTurn(record: RepoRecord, turn: Turn, { json }: Options): Promise<void> {
  const checkpoints = await checkpointsOfTurn(record, turn);
  if (!json) return printLong(turnLines(turn, checkpoints));
  printJson({
    by: "turn",
    turn: turnJson(turn),
    checkpoints: checkpoints.map(({ id, metadata }) => ({ id, metadata })),
  });
}

async function printTranscripts({ store }: RepoRecord, { checkpoints }: Found): Promise<void> {
  for (const checkpoint of checkpoints) {
    for (const { index } of checkpoint.sessions) {
      process.stdout.write((await readTranscript(store, checkpoint, index)) ?? "");
    }
  }
}
