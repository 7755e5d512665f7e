import { messageOf, systemCode } from "../errors/index.ts";

const WHAT_HAPPENED: Readonly<Record<string, string>> = {
  ENOENT: "there is nothing at this path. Check it with ls or find",
  EISDIR: "it is a folder. List it with ls",
  ENOTDIR: "a part of the path is a file, not a folder",
  EACCES: "permission denied",
  EPERM: "the operation is not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  ELOOP: "its symbolic links form a loop",
  ENAMETOOLONG: "the name is too long",
};

/** A file system error in words a model can act on: what was tried, on which path, why it failed. */
export function fileError(action: string, path: string, cause: unknown): Error {
  const reason = WHAT_HAPPENED[systemCode(cause) ?? ""] ?? messageOf(cause);
  return new Error(`Cannot ${action} ${path}: ${reason}.`, { cause });
}
