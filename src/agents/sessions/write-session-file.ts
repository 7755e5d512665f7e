import { randomUUID } from "node:crypto";
import { mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inWords, SeamError } from "../../errors/index.ts";

/**
 * Puts a session where its agent looks for it, in one step. A file that is as long or longer
 * stays: the agent went on with it, and what it wrote since is worth more.
 */
export async function writeSessionFile(
  path: string,
  content: Buffer,
): Promise<{ ref: string; written: boolean }> {
  try {
    const target = await realpath(path).catch(() => path);
    if ((await sizeOf(target)) >= content.length) return { ref: path, written: false };
    const folder = dirname(target);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const temporary = join(folder, `.seam-${randomUUID()}.tmp`);
    try {
      await writeDurably(temporary, content);
      // The agent may have written to it meanwhile.
      const written = (await sizeOf(target)) < content.length;
      if (written) await rename(temporary, target);
      return { ref: path, written };
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (error) {
    throw new SeamError("SEAM_SESSION_WRITE", { path, detail: inWords(error) }, { cause: error });
  }
}

/** -1 if there is no such file: an empty session may still be written. */
async function sizeOf(path: string): Promise<number> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (stats && !stats.isFile()) throw new Error("it is not a regular file");
  return stats?.size ?? -1;
}

async function writeDurably(path: string, content: Buffer): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
