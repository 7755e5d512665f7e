import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { createSHA256 } from "hash-wasm";
import type { Redaction } from "../redact/index.ts";
import type { StoredTranscript } from "../session/state.ts";
import { cutLines } from "./chunk-lines.ts";
import { blankLines } from "./without-history.ts";

/** Where blobs are written and read again. */
export interface Blobs {
  writeBlob(content: Buffer): Promise<string>;
  readBlob(id: string): Promise<Buffer | undefined>;
}

/** Takes secrets out of whole lines, one piece after the other. */
export interface LineRedactor {
  redact(lines: Buffer): Promise<{ bytes: Buffer; redactions: readonly Redaction[] }>;
}

export interface Growth {
  readonly stored: StoredTranscript;
  /** Read from the agent's file this time. */
  readonly bytesRead: number;
  /** The file is not a continuation of what was stored: all of it was stored anew. */
  readonly restarted: boolean;
}

const PIECE_BYTES = 4 * 1024 * 1024;
const HEAD_BYTES = 4 * 1024;

/** Stores what a transcript of lines gained. A last line that is not finished waits. */
export async function storeLines(
  path: string,
  before: StoredTranscript | undefined,
  blobs: Blobs,
  redactor: LineRedactor,
  /** Lines before this one are left blank. */
  blankUntil = 0,
): Promise<Growth> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const known = before && (await continues(file, size, before, blobs)) ? before : undefined;
    const writer = await ChunkWriter.from(known, blobs);
    const counts = new Map(known?.redactions.map(({ rule, count }) => [rule, count]));
    let at = known?.rawBytes ?? 0;
    let line = known?.lines ?? 0;
    const from = at;
    for (;;) {
      const piece = await wholeLines(file, at, size);
      if (piece.length === 0) break;
      at += piece.length;
      const wanted = blankLines(piece, line, blankUntil);
      if (line < blankUntil) line += countLines(piece);
      const { bytes, redactions } = await redactor.redact(wanted);
      for (const { rule, count } of redactions) counts.set(rule, (counts.get(rule) ?? 0) + count);
      await writer.append(bytes);
    }
    const head = await headOf(file, Math.min(HEAD_BYTES, at));
    const foot = await footOf(file, at, Math.min(HEAD_BYTES, at));
    const redactions = [...counts].map(([rule, count]) => ({ rule, count }));
    const stored = { ...(await writer.finish()), rawBytes: at, head, foot, redactions };
    return { stored, bytesRead: at - from, restarted: before !== undefined && !known };
  } finally {
    await file.close();
  }
}

/** Agents rewrite transcripts now and then; and objects can be gone after a clean-up. */
async function continues(
  file: FileHandle,
  size: number,
  { rawBytes, head, foot, tail }: StoredTranscript,
  blobs: Blobs,
): Promise<boolean> {
  if (size < rawBytes) return false;
  if ((await headOf(file, head.bytes)).sha256 !== head.sha256) return false;
  if (foot && (await footOf(file, rawBytes, foot.bytes)).sha256 !== foot.sha256) return false;
  return tail === undefined || (await blobs.readBlob(tail)) !== undefined;
}

function headOf(file: FileHandle, bytes: number): Promise<StoredTranscript["head"]> {
  return footOf(file, bytes, bytes);
}

async function footOf(
  file: FileHandle,
  end: number,
  bytes: number,
): Promise<StoredTranscript["head"]> {
  const piece = await readAt(file, end - bytes, bytes);
  return { bytes, sha256: createHash("sha256").update(piece).digest("hex") };
}

/** Lines from an offset on, about a piece; more if one line is longer than that. */
async function wholeLines(file: FileHandle, at: number, size: number): Promise<Buffer> {
  for (let bytes = PIECE_BYTES; ; bytes *= 2) {
    const piece = await readAt(file, at, Math.min(bytes, size - at));
    const end = piece.lastIndexOf(10);
    if (end >= 0) return piece.subarray(0, end + 1);
    if (at + piece.length >= size) return Buffer.alloc(0);
  }
}

async function readAt(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(bytes, 0));
  let done = 0;
  while (done < buffer.length) {
    const { bytesRead } = await file.read(buffer, done, buffer.length - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}

type Written = Pick<StoredTranscript, "chunks" | "tail" | "lines" | "hashState" | "contentHash">;

/** Appends to chunks: closed ones are written once, the last one at the end. */
class ChunkWriter {
  readonly #blobs: Blobs;
  readonly #chunks: string[];
  readonly #hash: Awaited<ReturnType<typeof createSHA256>>;
  #tail: Buffer;
  #lines: number;

  private constructor(
    blobs: Blobs,
    known: StoredTranscript | undefined,
    tail: Buffer,
    hash: Awaited<ReturnType<typeof createSHA256>>,
  ) {
    this.#blobs = blobs;
    this.#chunks = [...(known?.chunks ?? [])];
    this.#lines = known?.lines ?? 0;
    this.#tail = tail;
    this.#hash = hash;
  }

  static async from(known: StoredTranscript | undefined, blobs: Blobs): Promise<ChunkWriter> {
    const hash = await createSHA256();
    if (known) hash.load(Buffer.from(known.hashState, "base64"));
    else hash.init();
    const tail = known?.tail === undefined ? undefined : await blobs.readBlob(known.tail);
    return new ChunkWriter(blobs, known, tail ?? Buffer.alloc(0), hash);
  }

  async append(lines: Buffer): Promise<void> {
    this.#hash.update(lines);
    this.#lines += countLines(lines);
    const { closed, tail } = cutLines(Buffer.concat([this.#tail, lines]), this.#chunks.length);
    for (const chunk of closed) {
      this.#chunks.push(await this.#blobs.writeBlob(chunk));
      // Small ones are written without a pause: whoever waits for an answer meanwhile gets it.
      await setImmediate();
    }
    this.#tail = tail;
  }

  async finish(): Promise<Written> {
    const hashState = Buffer.from(this.#hash.save()).toString("base64");
    const tail = this.#tail.length > 0 ? await this.#blobs.writeBlob(this.#tail) : undefined;
    return {
      chunks: this.#chunks,
      ...(tail !== undefined && { tail }),
      lines: this.#lines,
      hashState,
      contentHash: `sha256:${this.#hash.digest("hex")}`,
    };
  }
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}
