import type { FileHandle } from "node:fs/promises";
import { isSkipped, openContent, type Skipped } from "./file-content.ts";

export interface StoredFile {
  readonly id: string;
  /** `100644`, `100755`, or `120000` for a link. */
  readonly mode: string;
  readonly size: number;
}

export interface FileOptions {
  /** A bigger file is left out. */
  readonly maxBytes?: number;
  /** Says, before a file that can be read at once is stored, whether its content may be in git. */
  readonly admits?: (content: Buffer) => Promise<boolean>;
}

/** What takes the content of files. */
interface FileTarget {
  writeBlob(content: Uint8Array): Promise<string>;
  writeBigFile(handle: FileHandle, size: number): Promise<string | undefined>;
}

const MAX_BYTES = 100 * 1024 * 1024;

/**
 * Stores a file or a symbolic link as it is on the disk, without filters and line-end rules. What
 * is wrong with the file is a result, what is wrong with the repository an error.
 */
export async function storeFile(
  target: FileTarget,
  path: string | Buffer,
  { maxBytes = MAX_BYTES, admits }: FileOptions = {},
): Promise<StoredFile | Skipped> {
  const content = await openContent(path, maxBytes);
  if (isSkipped(content)) return content;
  const { mode } = content;
  if ("bytes" in content) {
    if (admits && !(await admits(content.bytes))) return { skipped: "refused" };
    return { id: await target.writeBlob(content.bytes), mode, size: content.bytes.length };
  }
  const { handle, size } = content;
  try {
    const id = await target.writeBigFile(handle, size);
    return id === undefined ? { skipped: "changing", size } : { id, mode, size };
  } finally {
    await handle.close();
  }
}
