import { createHash } from "node:crypto";
import { agentNamed } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import type { Keeper } from "../keeper.ts";
import type { SessionState } from "../session/state.ts";
import { checkTranscript, transcriptRef } from "../session/transcript-ref.ts";
import { type StoredTranscript, storeLines } from "./stored-transcript.ts";

/** Puts what a session's transcript gained into git; undefined if there is none to be had. */
export async function storeTranscript(
  keeper: Keeper,
  state: SessionState,
  anew = false,
): Promise<StoredTranscript | undefined> {
  const agent = agentNamed(state.agent);
  const ref = transcriptRef(state);
  if (!agent || ref === undefined) return undefined;
  const { store } = keeper.record;
  const blobs = {
    writeBlob: (content: Buffer) => store.writeBlob(content),
    readBlob: async (id: string) => (await store.read(id))?.content,
  };
  try {
    checkTranscript(ref);
    if (agent.transcript.lines && !agent.transcript.isDocument?.(ref)) {
      return (await storeLines(ref, anew ? undefined : state.stored, blobs, keeper.redactor))
        .stored;
    }
    return await storeDocument(keeper, await agent.transcript.read(ref), (content) =>
      agent.transcript.chunk(content),
    );
  } catch (error) {
    keeper.log("warn", `The transcript ${ref} could not be stored`, error);
    // As much as was stored of it earlier.
    return anew ? undefined : state.stored;
  }
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
  { record: { store }, redactor }: Keeper,
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
