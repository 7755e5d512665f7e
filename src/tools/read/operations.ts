import { constants, createReadStream } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";

/** Where files are read. Replace it to read on another machine. */
export interface ReadOperations {
  readFile: (absolutePath: string) => Promise<Buffer>;
  /** Throws when the file cannot be read. */
  access: (absolutePath: string) => Promise<void>;
  /** Tells images from text; without it the first bytes of the file decide. */
  detectImageMimeType?: (absolutePath: string) => Promise<string | null | undefined>;
  /** Reads in pieces and may be left at any point; without it `readFile` reads everything. */
  stream?: (absolutePath: string) => AsyncIterable<Buffer>;
}

export const localReadOperations: ReadOperations = {
  readFile: (path) => readFile(path),
  access: async (path) => {
    const stats = await stat(path);
    if (stats.isDirectory()) throw new Error("it is a folder. List it with ls");
    // A pipe or a device may never come to an end.
    if (!stats.isFile()) throw new Error("it is not a regular file");
    await access(path, constants.R_OK);
  },
  stream: (path) => createReadStream(path),
};

/** The pieces of a file, whatever the operations offer. */
export async function* piecesOf(path: string, operations: ReadOperations): AsyncGenerator<Buffer> {
  if (operations.stream) yield* operations.stream(path);
  else yield await operations.readFile(path);
}
