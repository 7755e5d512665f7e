/** What the tests of the reading commands share: records made by the writing side. */
import { onTestFinished } from "vitest";
import { openRepo } from "../../git/index.ts";
import { newCheckpointId } from "../checkpoint/checkpoint-files.ts";
import { storeLines } from "../checkpoint/stored-transcript.ts";
import { type SessionPart, writeCheckpoints } from "../checkpoint/write-checkpoint.ts";
import { openRepoRecord, type RepoRecord } from "../repo-record.ts";
import { newTurnId } from "../session/step.ts";
import type { TurnStory } from "../session/turn-story.ts";
import { takeSnapshot } from "../snapshot/take-snapshot.ts";
import type { Project } from "../test-kit/project.ts";

/** The record of a repository, closed after the test. */
export async function recordOf(root: string): Promise<RepoRecord> {
  const repo = await openRepo(root);
  if (!repo) throw new Error(`no repository at ${root}`);
  const record = openRepoRecord(repo);
  onTestFinished(() => record.store.close());
  return record;
}

let seconds = 0;

/** A moment after the last one: snapshots are ordered by time. */
export function nextMoment(): string {
  return new Date(Date.UTC(2026, 4, 25, 12, 0, seconds++)).toISOString();
}

interface TurnOptions {
  readonly session?: string;
  readonly prompt?: string;
  readonly story?: TurnStory;
}

/** A turn with snapshots around what `work` does; returns its id. */
export async function turn(
  record: RepoRecord,
  work: () => void,
  { session = "session-1", prompt = "Do it", story }: TurnOptions = {},
): Promise<string> {
  const about = { session_id: session, agent: "claude-code", turn_id: newTurnId() };
  await takeSnapshot(record, { ...about, moment: "start", at: nextMoment(), prompt });
  work();
  await takeSnapshot(record, {
    ...about,
    moment: "end",
    at: nextMoment(),
    ...(story && { story }),
  });
  return about.turn_id;
}

interface CheckpointOptions {
  readonly id?: string;
  readonly session?: string;
  readonly commit?: string;
  readonly branch?: string;
  readonly prompts?: readonly string[];
  /** Lines of a transcript in Claude Code's format. */
  readonly lines?: readonly object[];
  readonly metadata?: Partial<SessionPart["metadata"]>;
  readonly files?: Readonly<Record<string, string | null>>;
}

/** A checkpoint of one session, written as the recorder writes it. */
export async function checkpoint(
  project: Project,
  { store }: RepoRecord,
  options: CheckpointOptions = {},
): Promise<string> {
  const { id = newCheckpointId(), session = "session-1", files = {}, commit, branch } = options;
  const blobs = {
    writeBlob: (content: Buffer) => store.writeBlob(content),
    readBlob: async (blob: string) => (await store.read(blob))?.content,
  };
  const redactor = { redact: async (bytes: Buffer) => ({ bytes, redactions: [] }) };
  const text = (options.lines ?? []).map((line) => `${JSON.stringify(line)}\n`).join("");
  const path = project.write(`.git/transcript-${session}`, text);
  const { stored } = await storeLines(path, undefined, blobs, redactor);
  const chunks = stored.tail === undefined ? stored.chunks : [...stored.chunks, stored.tail];
  const part: SessionPart = {
    metadata: {
      cli_version: "0.0.0",
      session_id: session,
      created_at: nextMoment(),
      checkpoints_count: 1,
      files_touched: Object.keys(files),
      agent: "Claude Code",
      model: "claude-test",
      ...options.metadata,
    },
    ...(chunks.length > 0 && { transcript: { chunks, contentHash: stored.contentHash } }),
    prompts: options.prompts ?? ["Do it"],
  };
  await writeCheckpoints(store, `Checkpoint: ${id}`, [
    {
      id,
      ...(commit !== undefined && { commit }),
      ...(branch !== undefined && { branch }),
      fileHashes: files,
      parts: [part],
    },
  ]);
  return id;
}
