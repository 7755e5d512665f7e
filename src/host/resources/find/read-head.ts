import { closeSync, openSync, readSync, statSync } from "node:fs";

export interface FileHead {
  text: string;
  /** Of the whole file, in bytes. */
  size: number;
  truncated: boolean;
}

/** The first part of a text file. A file of any size costs no more memory than `maxBytes`. */
export function readHead(path: string, maxBytes: number): FileHead {
  const stat = statSync(path);
  const { size } = stat;
  // Opening a pipe that nobody writes to would wait for ever.
  if (!stat.isFile()) throw new Error("it is not a file");
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, length);
    }
    // "stream" holds back a character that the limit cuts in two.
    const truncated = size > maxBytes;
    const text = new TextDecoder().decode(bytes.subarray(0, length), { stream: truncated });
    return { text, size, truncated };
  } finally {
    closeSync(file);
  }
}
