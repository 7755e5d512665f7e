import { fdatasyncSync, readSync, writeSync } from "node:fs";

/** The calls that touch a session's bytes, so that a test can count them and let them fail. */
export interface FileIO {
  read(fd: number, buffer: Buffer): number;
  write(fd: number, data: string | Buffer): number;
  sync(fd: number): void;
}

export const fileIO: FileIO = {
  read: (fd, buffer) => readSync(fd, buffer),
  write: (fd, data) => (typeof data === "string" ? writeSync(fd, data) : writeSync(fd, data)),
  sync: fdatasyncSync,
};

/** Usually one call; the system may take a part and say at the next one that the disk is full. */
export function writeFully(fd: number, text: string, io: FileIO): void {
  let done = io.write(fd, text);
  if (done === Buffer.byteLength(text)) return;
  const bytes = Buffer.from(text);
  while (done < bytes.length) done += io.write(fd, bytes.subarray(done));
}
