import { createHash } from "node:crypto";
import { agentNamed } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import type { RecordingContext } from "../recording-context.ts";
import type { SessionState, StoredTranscript } from "../session/state.ts";
import { checkTranscript, transcriptRef } from "../session/transcript-ref.ts";
import { storeLines } from "./stored-transcript.ts";
import { blankMessages } from "./without-history.ts";

/**
 * Puts what a session's transcript gained into git. What was stored of it before the agent wrote it
 * anew, as some do to sum up a long conversation, is kept beside it.
 */
export async function withTranscript(
  context: RecordingContext,
  state: SessionState,
  anew = false,
): Promise<SessionState> {
  // What was said about another repository does not get into this one's checkpoints.
  if (state.works_in !== undefined) return state;
  const { stored, restarted } = await storeTranscript(context, state, anew);
  if (!stored) return state;
  const known =
    state.stored && restarted ? [...(state.earlier ?? []), state.stored] : state.earlier;
  const earlier = anew ? await thoseLeft(context, known ?? []) : known;
  return { ...state, stored, ...(earlier && { earlier }) };
}

/** Parts that git has dropped cannot be stored again: the agent does not have them any more. */
async function thoseLeft(
  { record: { store }, log }: RecordingContext,
  transcripts: readonly StoredTranscript[],
): Promise<StoredTranscript[]> {
  const left: StoredTranscript[] = [];
  for (const one of transcripts) {
    const blobs = [...one.chunks, ...(one.tail === undefined ? [] : [one.tail])];
    const found = await Promise.all(blobs.map((blob) => store.info(blob)));
    if (found.every((info) => info !== undefined)) left.push(one);
    else log("warn", "git gc deleted what a transcript was before its agent wrote it anew");
  }
  return left;
}

interface Stored {
  /** Undefined if there is none to be had. */
  readonly stored?: StoredTranscript;
  readonly restarted?: boolean;
}

async function storeTranscript(
  context: RecordingContext,
  state: SessionState,
  anew: boolean,
): Promise<Stored> {
  const agent = agentNamed(state.agent);
  const ref = transcriptRef(state);
  const { forgotten_before: forgotten = 0 } = state;
  if (!agent || ref === undefined) return {};
  const { store } = context.record;
  const blobs = {
    writeBlob: (content: Buffer) => store.writeBlob(content),
    readBlob: async (id: string) => (await store.read(id))?.content,
  };
  try {
    checkTranscript(ref);
    if (agent.transcript.lines && !agent.transcript.isDocument?.(ref)) {
      const before = anew ? undefined : state.stored;
      return await storeLines(ref, before, blobs, context.redactor, forgotten);
    }
    const all = upTo(await agent.transcript.read(ref), state.transcript_end);
    const content = forgotten === 0 ? all : blankMessages(all, forgotten);
    if (!content) return {};
    const chunk = (bytes: Buffer) => agent.transcript.chunk(bytes);
    return { stored: await storeDocument(context, content, chunk) };
  } catch (error) {
    context.log("warn", `The transcript ${ref} could not be stored`, error);
    // As much as was stored of it earlier.
    return !anew && state.stored ? { stored: state.stored } : {};
  }
}

const NEWLINE = 0x0a;

/** The first lines of what is one part of a longer file; all of it if there is no end. */
function upTo(content: Buffer, lines: number | undefined): Buffer {
  if (lines === undefined) return content;
  let end = 0;
  for (let line = 0; line < lines && end < content.length; line++) {
    const newline = content.indexOf(NEWLINE, end);
    end = newline === -1 ? content.length : newline + 1;
  }
  return content.subarray(0, end);
}

/** How often objects may vanish in the middle before it is given up. */
const MOST_TRIES = 10;

/**
 * Does something that stores transcripts. `git gc` may throw away stored parts to which nothing
 * leads yet, and users may delete refs: then `work` is asked to store all of it anew.
 */
export async function untilWhole<T>(work: (anew: boolean) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work(tries > 1);
    } catch (error) {
      if (tries >= MOST_TRIES || !isLostObject(error)) throw error;
    }
  }
}

function isLostObject(error: unknown): boolean {
  return error instanceof SeamError && error.code === "SEAM_GIT_OBJECT";
}

/** One document has no part that stays the same: it is stored anew each time. */
async function storeDocument(
  { record: { store }, redactor }: RecordingContext,
  raw: Buffer,
  chunk: (content: Buffer) => Buffer[],
): Promise<StoredTranscript> {
  const { bytes, redactions } = await redactor.document(raw);
  const chunks = await Promise.all(chunk(bytes).map((one) => store.writeBlob(one)));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return {
    chunks,
    rawBytes: raw.length,
    lines: 0,
    head: { bytes: 0, sha256: "" },
    hashState: "",
    contentHash: `sha256:${sha256}`,
    redactions,
  };
}
