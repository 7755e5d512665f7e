import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { SeamError } from "../../errors/index.ts";

/**
 * Without these flags, opening a pipe that nobody writes to would wait for ever, and a terminal
 * would become the controlling one.
 */
const CAREFUL = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * An open file. Read without a detour over other threads: what was appended is a few kilobytes,
 * and on a busy machine the detour takes longer than the reading. Tests count through it.
 */
export interface ReadableFile {
  /** Bytes read; 0 at the end. */
  read(into: Buffer, length: number, position: number): number;
  stat(): { readonly size: number; readonly ino: number };
  close(): void;
}

export function openReadable(path: string): ReadableFile {
  const fd = openSync(path, CAREFUL);
  const stats = fstatSync(fd);
  if (!stats.isFile() && !stats.isDirectory()) {
    closeSync(fd);
    throw new SeamError("SEAM_FILE_UNFIT", { path, detail: "it is not a file" });
  }
  return {
    read: (into, length, position) => readSync(fd, into, 0, length, position),
    stat: () => fstatSync(fd),
    close: () => closeSync(fd),
  };
}
