import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { SeamError } from "../errors/index.ts";

/** Enough for settings, manifests and the small files of git. */
export const SMALL_FILE = 1024 * 1024;
/** Enough for any source, and for long lists that programs keep. */
export const LARGE_FILE = 64 * 1024 * 1024;

/** Opening a pipe that nobody writes to would wait for ever, and a terminal would become ours. */
const CAREFUL = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
const FIRST_PIECE = 4096;

/**
 * A file of a folder that anybody may have made. Pipes, devices and what has more bytes than the
 * limit are refused, whatever a link leads to: none of them can make the reader wait or take its
 * memory. Otherwise it fails as any reading does, for a folder with EISDIR.
 */
export function readRegular(path: string | Buffer, limit: number): Buffer {
  const fd = openSync(path, CAREFUL);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() && !stats.isDirectory()) throw unfit(path, "it is not a file");
    if (stats.size > limit && stats.isFile()) throw tooLarge(path, limit);
    return readAll(path, fd, stats.size, limit);
  } finally {
    closeSync(fd);
  }
}

/** The same as text. */
export function readRegularText(path: string, limit: number): string {
  return readRegular(path, limit).toString("utf8");
}

/** What a file says of its size need not be so: it may grow, and the system's own say 0. */
function readAll(path: string | Buffer, fd: number, size: number, limit: number): Buffer {
  let bytes: Buffer = Buffer.allocUnsafe(Math.min(Math.max(size, FIRST_PIECE), limit) + 1);
  for (let length = 0; ; ) {
    const read = readSync(fd, bytes, length, bytes.length - length, null);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
    if (length > limit) throw tooLarge(path, limit);
    if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(2 * length, limit) + 1);
  }
}

function tooLarge(path: string | Buffer, limit: number): SeamError {
  return unfit(path, `it is too large: more than ${limit} bytes`);
}

function unfit(path: string | Buffer, detail: string): SeamError {
  return new SeamError("SEAM_FILE_UNFIT", { path: path.toString(), detail });
}
