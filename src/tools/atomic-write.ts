import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemCode } from "../errors/index.ts";
import { realTarget } from "../files/index.ts";

/**
 * Replaces a file in one step: a reader sees the old content or the new one, never a part. Links
 * are followed, and mode and owner of the old file are kept.
 */
export async function writeFileAtomic(path: string, content: string): Promise<void> {
  const target = realTarget(path);
  const old = await existing(target);
  // The name does not build on the target's, which may be as long as names can be.
  const temporary = join(dirname(target), `.seam-${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, "wx", old ? 0o600 : 0o666);
    try {
      await handle.writeFile(content);
      if (old) await takeOver(handle, old);
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function existing(target: string): Promise<Stats | undefined> {
  try {
    const stats = await stat(target);
    // Renaming over a device or a pipe would destroy it.
    if (!stats.isFile()) {
      throw new Error(stats.isDirectory() ? "it is a folder" : "it is not a regular file");
    }
    // A rename would go past the write protection of the file itself.
    await access(target, constants.W_OK);
    return stats;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function takeOver(handle: FileHandle, old: Stats): Promise<void> {
  try {
    await handle.chown(old.uid, old.gid);
  } catch {
    // Only root may give files away; for everyone else the owner is their own already.
  }
  await handle.chmod(old.mode & 0o7777);
}
