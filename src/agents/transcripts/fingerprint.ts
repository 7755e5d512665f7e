import { createHash } from "node:crypto";
import type { ReadableFile } from "./readable-file.ts";

const SAMPLE = 512;

interface Sample {
  readonly bytes: number;
  readonly hash: string;
}

/** What a file is known again by: how it begins, and what stood before the place reached. */
export interface Fingerprint {
  readonly size: number;
  readonly ino: number;
  readonly head: Sample;
  readonly tail: Sample;
}

/** Reads at most 1 KB. */
export function fingerprintOf(
  file: ReadableFile,
  offset: number,
  stats: { size: number; ino: number },
): { print: Fingerprint; bytesRead: number } {
  const bytes = Math.min(SAMPLE, offset);
  const head = sampleAt(file, 0, bytes);
  const tail = sampleAt(file, offset - bytes, bytes);
  return {
    print: { size: stats.size, ino: stats.ino, head, tail },
    bytesRead: head.bytes + tail.bytes,
  };
}

/**
 * Whether a file still starts with what was read of it up to an offset. The inode alone says
 * nothing: a file may be copied or put back with the same content, or be rewritten in place.
 */
export function isSameFile(
  file: ReadableFile,
  offset: number,
  known: Fingerprint,
  size: number,
): { same: boolean; bytesRead: number } {
  if (size < offset) return { same: false, bytesRead: 0 };
  const head = sampleAt(file, 0, known.head.bytes);
  if (head.hash !== known.head.hash) return { same: false, bytesRead: head.bytes };
  const tail = sampleAt(file, offset - known.tail.bytes, known.tail.bytes);
  return { same: tail.hash === known.tail.hash, bytesRead: head.bytes + tail.bytes };
}

function sampleAt(file: ReadableFile, at: number, bytes: number): Sample {
  const buffer = Buffer.alloc(bytes);
  const bytesRead = bytes > 0 ? file.read(buffer, bytes, Math.max(0, at)) : 0;
  const hash = createHash("sha1").update(buffer.subarray(0, bytesRead)).digest("hex");
  return { bytes: bytesRead, hash: hash.slice(0, 16) };
}
