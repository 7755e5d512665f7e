import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

type Action = "write" | "rename" | "remove" | "make folder" | "remove folder";

/** The ways in which files are changed. Each is whole or has not happened. */
export interface FileOps {
  /** A reader sees the old content or the new, never a part. */
  replace(path: string, bytes: Buffer, mode?: number): void;
  remove(path: string): void;
  makeFolder(path: string): void;
  /** Only if it is empty. */
  removeFolder(path: string): void;
}

/** `before` is called before each step that changes something on disk; a test may stop it there. */
export function fileOps(before: (action: Action, path: string) => void = () => {}): FileOps {
  return {
    replace(path, bytes, mode) {
      const temporary = temporaryFor(path);
      before("write", temporary);
      // A run that was killed may have left it; a link that somebody put there is not followed.
      rmSync(temporary, { force: true });
      try {
        writeWhole(temporary, bytes, mode);
        takeOver(path, temporary);
        before("rename", path);
        renameSync(temporary, path);
      } catch (thrown) {
        rmSync(temporary, { force: true });
        throw thrown;
      }
      syncFolder(dirname(path));
    },
    remove(path) {
      before("remove", path);
      rmSync(path);
      rmSync(temporaryFor(path), { force: true });
      syncFolder(dirname(path));
    },
    makeFolder(path) {
      before("make folder", path);
      mkdirSync(path);
    },
    removeFolder(path) {
      before("remove folder", path);
      rmdirSync(path);
    },
  };
}

/** No agent takes it for a plugin or a hook file of its own: they go by how names end. */
const temporaryFor = (path: string) => join(dirname(path), `.${basename(path)}.agentseam`);

function writeWhole(path: string, bytes: Buffer, mode = 0o666): void {
  const fd = openSync(path, "wx", mode);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The new file belongs to whom the old one belonged, and may be read by the same people. */
function takeOver(path: string, temporary: string): void {
  const old = statSync(path, { throwIfNoEntry: false });
  if (!old) return;
  try {
    chownSync(temporary, old.uid, old.gid);
  } catch {
    // Only root may give files away; for everyone else the owner is their own already.
  }
  chmodSync(temporary, old.mode & 0o7777);
}

/** After this a change of names survives a power cut. Not every file system can do it. */
function syncFolder(path: string): void {
  try {
    const fd = openSync(path, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // The change itself has been made, so a failure here is ignored.
  }
}

/** Why a file could not be replaced; undefined if it could. */
export function obstacle(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return "it is a folder";
  if (stats && !stats.isFile()) return "it is not a regular file";
  if (stats && !mayWrite(path)) return "it is read-only";
  let folder = dirname(path);
  while (!statSync(folder, { throwIfNoEntry: false })) folder = dirname(folder);
  if (!statSync(folder).isDirectory()) return `${folder} is not a folder`;
  return mayWrite(folder) ? undefined : `nothing may be written to ${folder}`;
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
