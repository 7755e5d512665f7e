import { messageOf } from "./message-of.ts";
import { SeamError } from "./seam-error.ts";
import { systemCode } from "./system-code.ts";

/** What the system refused, in words: what it was, and what the user can do about it. */
export function refusal(thrown: unknown): SeamError | undefined {
  if (thrown instanceof SeamError || !(thrown instanceof Error)) return undefined;
  if ("syscall" in thrown && thrown.syscall === "uv_cwd") {
    return new SeamError("SEAM_FILE_REFUSED", NO_FOLDER, { cause: thrown });
  }
  const [detail, hint] = REFUSALS[systemCode(thrown) ?? ""] ?? [];
  const path = "path" in thrown && typeof thrown.path === "string" ? thrown.path : undefined;
  if (detail === undefined || hint === undefined || path === undefined) return undefined;
  return new SeamError("SEAM_FILE_REFUSED", { path, detail, hint }, { cause: thrown });
}

/** The same for the text of another error: never a bare code such as EACCES where words are known. */
export function inWords(thrown: unknown): string {
  const { path, detail } = refusal(thrown)?.details ?? {};
  return detail === undefined ? messageOf(thrown) : `${path}: ${detail}`;
}

/** The system names no path for it. */
const NO_FOLDER = {
  path: "The folder you are in",
  detail: "it was deleted or moved",
  hint: "Go to one that is there, then run the same again: cd",
};

const RIGHTS =
  "Look at whose it is and what you may do there: ls -ld on it and on the folder above";

const REFUSALS: Readonly<Record<string, readonly [string, string]>> = {
  EACCES: ["you have no right to read or write it", RIGHTS],
  EPERM: ["you have no right to change it", RIGHTS],
  EROFS: ["the file system is read-only", "Use another folder, or make the file system writable."],
  ENOSPC: ["the disk is full", "Make space on the disk, then run the same again."],
  EDQUOT: ["your quota on this disk is used up", "Make space, then run the same again."],
  ENOENT: ["it is not there", "Check the path, then run the same again."],
  ENOTDIR: ["a part of the path is a file, not a folder", "Move that file away."],
  EISDIR: ["it is a folder, not a file", "Move that folder away, or name a file."],
  EMFILE: ["too many files are open", "Close other programs, or raise the limit: ulimit -n"],
  ELOOP: ["its symbolic links form a loop", "Remove one of the links."],
  ENAMETOOLONG: ["the name is too long", "Choose a shorter one."],
};
