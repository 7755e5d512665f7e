import type { FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createDeflate } from "node:zlib";
import type { ObjectFormat } from "../repo/repo.ts";
import type { LooseFiles, Sink } from "./loose-files.ts";
import { objectHash, objectHeader } from "./object-id.ts";

const PIECE = 256 * 1024;

/** Git compresses as little here: speed counts for objects that are packed better later. */
export const COMPRESSION = { level: 1 } as const;

/**
 * Stores a file piece by piece. The id is that of the bytes that were compressed, so a file that
 * changes meanwhile can give a mixture, never a damaged object. Undefined when it became shorter;
 * when it grows, the part that was there at the beginning is taken.
 */
export async function storeBigFile(
  loose: LooseFiles,
  format: ObjectFormat,
  handle: FileHandle,
  size: number,
  isThere: (id: string) => Promise<boolean>,
): Promise<string | undefined> {
  // Hashing is ten times faster than compressing, and the same big file is often seen again.
  const known = await hashOf(format, handle, size);
  if (known === undefined) return undefined;
  if (await isThere(known)) return known;
  return loose.storeStream((sink) => deflateInto(sink, format, handle, size));
}

async function hashOf(
  format: ObjectFormat,
  handle: FileHandle,
  size: number,
): Promise<string | undefined> {
  const hash = objectHash(format, "blob", size);
  let left = size;
  for await (const piece of pieces(handle, size)) {
    hash.update(piece);
    left -= piece.length;
  }
  return left === 0 ? hash.digest("hex") : undefined;
}

async function deflateInto(
  sink: Sink,
  format: ObjectFormat,
  handle: FileHandle,
  size: number,
): Promise<string | undefined> {
  const hash = objectHash(format, "blob", size);
  let left = size;
  await pipeline(
    async function* () {
      yield objectHeader("blob", size);
      for await (const piece of pieces(handle, size)) {
        hash.update(piece);
        left -= piece.length;
        yield piece;
      }
    },
    createDeflate(COMPRESSION),
    async (compressed: AsyncIterable<Buffer>) => {
      for await (const piece of compressed) sink(piece);
    },
  );
  return left === 0 ? hash.digest("hex") : undefined;
}

/** Yields at most so many bytes from the beginning. */
async function* pieces(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    // A new buffer each time: the compressor may still hold the last one.
    const piece = Buffer.allocUnsafe(Math.min(PIECE, size - at));
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}
