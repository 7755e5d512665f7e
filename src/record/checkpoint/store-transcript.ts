import { createHash } from "node:crypto";
import { agentNamed } from "../../agents/index.ts";
import type { Keeper } from "../keeper.ts";
import type { SessionState } from "../session/state.ts";
import { type StoredTranscript, storeLines } from "./stored-transcript.ts";

/** Puts what a session's transcript gained into git; undefined if there is none to be had. */
export async function storeTranscript(
  keeper: Keeper,
  state: SessionState,
): Promise<StoredTranscript | undefined> {
  const agent = agentNamed(state.agent);
  const ref = state.transcript_path;
  if (!agent || ref === undefined) return undefined;
  const { store } = keeper.record;
  const blobs = {
    writeBlob: (content: Buffer) => store.writeBlob(content),
    readBlob: async (id: string) => (await store.read(id))?.content,
  };
  try {
    if (agent.transcript.lines) {
      return (await storeLines(ref, state.stored, blobs, keeper.redactor)).stored;
    }
    return await storeDocument(keeper, await agent.transcript.read(ref), (content) =>
      agent.transcript.chunk(content),
    );
  } catch (error) {
    keeper.log("warn", `The transcript ${ref} could not be stored`, error);
    return undefined;
  }
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
