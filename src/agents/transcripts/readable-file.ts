import { closeSync, fstatSync, openSync, readSync } from "node:fs";

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
  const fd = openSync(path, "r");
  return {
    read: (into, length, position) => readSync(fd, into, 0, length, position),
    stat: () => fstatSync(fd),
    close: () => closeSync(fd),
  };
}
