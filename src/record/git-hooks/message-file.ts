import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../files/index.ts";
import { commentCharOf, configOf, type Repo } from "../../git/index.ts";
import { TRAILER } from "../checkpoint/metadata.ts";
import { seamDirOf } from "../seam-dir.ts";
import type { GitCommand } from "./git-command.ts";
import type { MessageRequest } from "./request.ts";

/**
 * Byte by byte: a message is in whatever encoding its author uses, and has to come out as it went
 * in. Whatever Seam looks for or adds is ASCII.
 */
const BYTES = "latin1";

export function readMessage(path: string): string {
  return readFileSync(path, BYTES);
}

/** The file is replaced whole: a message that is cut off in the middle would stop the commit. */
export function replaceMessage(path: string, text: string): void {
  replaceFile(path, Buffer.from(text, BYTES), { mode: statSync(path).mode & 0o777 });
}

/** What git will do with the lines of a message. */
export interface MessageRules {
  /** What starts a comment, as it is in the message. */
  readonly commentChar: string;
  /** Lines like comments are kept. */
  readonly keepsComments: boolean;
  /** Whether somebody sees the message in an editor before it counts. */
  readonly isEdited: boolean;
}

const KEEPS_COMMENTS: Readonly<Record<string, boolean>> = {
  strip: false,
  whitespace: true,
  scissors: true,
  verbatim: true,
};

export async function messageRules(
  repo: Repo,
  { editor }: MessageRequest,
  source: string | undefined,
  { cleanup }: GitCommand,
): Promise<MessageRules> {
  const mode = cleanup ?? (await configOf(repo)).get("commit.cleanup") ?? "default";
  // Without a message git opens an editor, even if it is one that does nothing.
  const isEdited = editor !== ":" || source === undefined || source === "template";
  return {
    commentChar: Buffer.from(await commentCharOf(repo)).toString(BYTES),
    keepsComments: KEEPS_COMMENTS[mode] ?? !isEdited,
    isEdited,
  };
}

/** No line of a message starts with this. */
const NO_COMMENT = "\0";

/** Where a trailer goes: before the comments, if git will remove these. */
export function trailerRules({ commentChar, keepsComments, isEdited }: MessageRules) {
  return { commentChar: keepsComments && !isEdited ? NO_COMMENT : commentChar };
}

const TRAILER_LINES = new RegExp(`^${TRAILER}:.*\\n?`, "gm");

export function withoutTrailers(text: string): string {
  return text.replaceAll(TRAILER_LINES, "");
}

/** The text of a message without Seam's trailers, cleaned up as git does. */
export function saidIn(
  text: string,
  { commentChar, keepsComments }: Omit<MessageRules, "isEdited">,
): string {
  const [said = ""] = text.split(`${commentChar} ------------------------ >8 `);
  return withoutTrailers(said)
    .split("\n")
    .filter((line) => keepsComments || !line.startsWith(commentChar))
    .map((line) => line.replace(/[ \t\r\f\v]+$/, ""))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "");
}

/** What commit-msg has to know about a message that the user must still change. */
export interface Unsaid extends Omit<MessageRules, "isEdited"> {
  /** A message with this text was written by nobody. */
  readonly untouched: string;
}

/** Tells the script of commit-msg that there is something to do. */
export function markForCheck(repo: Repo, unsaid: Unsaid): void {
  writeFileSync(checkFile(repo), JSON.stringify(unsaid));
}

/** The mark is good for one message. */
export function takeCheckMark(repo: Repo): Unsaid {
  const path = checkFile(repo);
  try {
    return unsaidIn(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return unsaidIn({});
  } finally {
    rmSync(path, { force: true });
  }
}

function unsaidIn(value: unknown): Unsaid {
  const { untouched, commentChar, keepsComments }: Partial<Record<keyof Unsaid, unknown>> =
    typeof value === "object" && value !== null ? value : {};
  return {
    untouched: typeof untouched === "string" ? untouched : "",
    commentChar: typeof commentChar === "string" && commentChar !== "" ? commentChar : "#",
    keepsComments: keepsComments === true,
  };
}

const checkFile = (repo: Repo) => join(seamDirOf(repo), "check-message");
