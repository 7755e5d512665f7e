import { CommanderError } from "commander";
import { messageOf, SeamError, systemCode } from "../errors/index.ts";
import { isJsonPrinted, paint, printJson } from "./print.ts";

/** Tells what went wrong, as JSON too for who asked for it, and gives the exit code. */
export function reportError(thrown: unknown, args: readonly string[]): number {
  if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
  const error = thrown instanceof CommanderError ? usage(thrown) : (refusal(thrown) ?? thrown);
  const isSeams = error instanceof SeamError;
  if (wantsJson(args) && !isJsonPrinted()) {
    printJson({ error: isSeams ? error : { message: messageOf(error) } });
  }
  const text = messageOf(error).trimEnd().replaceAll("\n", "\n      ");
  process.stderr.write(`${paint("red", "error", process.stderr)} ${text}\n`);
  if (isSeams) process.stderr.write(`      ${error.next}\n`);
  return isSeams && error.code === "SEAM_USAGE" ? 2 : 1;
}

/** What the system refused, in words: what it was, and what the user can do about it. */
function refusal(thrown: unknown): SeamError | undefined {
  if (thrown instanceof SeamError || !(thrown instanceof Error)) return undefined;
  const [detail, hint] = REFUSALS[systemCode(thrown) ?? ""] ?? [];
  const path = "path" in thrown && typeof thrown.path === "string" ? thrown.path : undefined;
  if (detail === undefined || hint === undefined || path === undefined) return undefined;
  return new SeamError("SEAM_FILE_REFUSED", { path, detail, hint }, { cause: thrown });
}

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

function usage({ code, message }: CommanderError): SeamError {
  const isHelp = code === "commander.help";
  const detail = isHelp ? "A command is missing." : message.replace(/^error: /, "");
  return new SeamError("SEAM_USAGE", { detail });
}

function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? args.length : end).includes("--json");
}
