import { configOf } from "../repo/config.ts";
import type { Repo } from "../repo/repo.ts";
export interface Trailer {
  readonly key: string;
  readonly value: string;
}

export interface TrailerOptions {
  /** What starts a comment line: `core.commentChar`. */
  readonly commentChar?: string;
}

interface TrailerBlock {
  /** Where the block starts; where a new one would, if there is none. */
  readonly start: number;
  /** Where it ends: comments and the cut line come after. */
  readonly end: number;
  readonly trailers: readonly Trailer[];
}

/** Lines that git itself adds, and that make a block of trailers out of a mixed paragraph. */
const BY_GIT = ["Signed-off-by: ", "(cherry picked from commit "] as const;

const TRAILER = /^([A-Za-z0-9-]+)[ \t]*:(.*)$/s;

/** The trailers of the last paragraph, by the rules of `git interpret-trailers --no-divider`. */
export function trailerBlock(
  message: string,
  { commentChar = "#" }: TrailerOptions = {},
): TrailerBlock {
  const isComment = (line: string) => line.startsWith(commentChar);
  const end = endOfText(message, commentChar);
  const lines = linesOf(message.slice(0, end));
  const start = startOfBlock(lines, isComment);
  if (start === undefined) return { start: end, end, trailers: [] };
  const trailers: { key: string; value: string }[] = [];
  let isOpen = false;
  for (const line of lines.slice(start)) {
    const last = trailers.at(-1);
    if (isOpen && last && /^[ \t]/.test(line)) {
      last.value = `${last.value} ${line.trim()}`.trim();
      continue;
    }
    const [, key, value = ""] = TRAILER.exec(line.replace(/\n$/, "")) ?? [];
    isOpen = key !== undefined;
    if (key !== undefined) trailers.push({ key, value: value.trim() });
  }
  return { start: lines.slice(0, start).join("").length, end, trailers };
}

/** All values of a key anywhere in a message, each once: a squash puts whole messages into one. */
export function trailersOf(message: string, key: string, options: TrailerOptions = {}): string[] {
  const text = message.slice(0, cutAt(message, options.commentChar ?? "#"));
  const found = text.split("\n").flatMap((line) => {
    const [, name, value = ""] = TRAILER.exec(line.trim()) ?? [];
    return name?.toLowerCase() === key.toLowerCase() && value.trim() !== "" ? [value.trim()] : [];
  });
  return [...new Set(found)];
}

/**
 * The message with a trailer: in the block that is there, or after a blank line; before comments
 * and the cut line. A message that has it already stays as it is.
 */
export function addTrailer(
  message: string,
  key: string,
  value: string,
  options: TrailerOptions = {},
): string {
  const { start, end, trailers } = trailerBlock(message, options);
  const isIt = (one: Trailer) => one.key.toLowerCase() === key.toLowerCase() && one.value === value;
  if (trailers.some(isIt)) return message;
  const hasBlock = start < end;
  // A line of spaces would part the new trailer from the others.
  const text = hasBlock
    ? message.slice(0, end).replace(/\n[ \t\n]*$/, "\n")
    : message.slice(0, end);
  return `${text}${gapAfter(text, hasBlock)}${key}: ${value}\n${message.slice(end)}`;
}

function gapAfter(text: string, hasBlock: boolean): string {
  // The first line stays free for the subject that is still to be written.
  if (text.trim() === "") return "\n".repeat(Math.max(0, 2 - linesOf(text).length));
  const lineEnd = text.endsWith("\n") ? "" : "\n";
  return hasBlock || /\n[ \t]*\n$/.test(text) ? lineEnd : `${lineEnd}\n`;
}

/** Where the message proper ends: before trailing comments, blank lines and git's conflict list. */
function endOfText(message: string, commentChar: string): number {
  const cut = cutAt(message, commentChar);
  let [at, end] = [0, -1];
  let inConflicts = false;
  for (const line of linesOf(message.slice(0, cut))) {
    const isNothing = line.startsWith(commentChar) || line === "\n";
    const startsConflicts = line === "Conflicts:\n";
    if (isNothing || startsConflicts || (inConflicts && line.startsWith("\t"))) {
      if (end < 0) end = at;
      inConflicts ||= startsConflicts;
    } else {
      end = -1;
      inConflicts = false;
    }
    at += line.length;
  }
  return end < 0 ? cut : end;
}

/** The line below which `git commit --verbose` shows the changes. */
function cutAt(message: string, commentChar: string): number {
  const line = `${commentChar} ------------------------ >8 ------------------------\n`;
  if (message.startsWith(line)) return 0;
  const at = message.indexOf(`\n${line}`);
  return at < 0 ? message.length : at + 1;
}

/**
 * The first line of the last paragraph, if that consists of trailers: all of it, or at least a
 * quarter when one of them is git's own. The first paragraph is the subject, whatever it looks like.
 */
function startOfBlock(
  lines: readonly string[],
  isComment: (line: string) => boolean,
): number | undefined {
  let title = 0;
  while (title < lines.length && (isComment(lines[title] ?? "") || !isBlank(lines[title]))) title++;
  let [trailers, others, continuations] = [0, 0, 0];
  let [isByGit, onlyBlank] = [false, true];
  for (let at = lines.length - 1; at >= title; at--) {
    const line = lines[at] ?? "";
    if (isComment(line)) {
      others += continuations;
      continuations = 0;
    } else if (isBlank(line)) {
      if (onlyBlank) continue;
      others += continuations;
      const isBlock = isByGit ? trailers * 3 >= others : trailers > 0 && others === 0;
      return isBlock ? at + 1 : undefined;
    } else if (BY_GIT.some((start) => line.startsWith(start))) {
      trailers++;
      continuations = 0;
      isByGit = true;
    } else if (TRAILER.test(line)) {
      trailers++;
      continuations = 0;
    } else if (/^\s/.test(line)) {
      continuations++;
    } else {
      others += 1 + continuations;
      continuations = 0;
    }
    onlyBlank &&= isComment(line) || isBlank(line);
  }
  return undefined;
}

const isBlank = (line: string | undefined) => (line ?? "").trim() === "";

/** Each with its end. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * What starts a comment line in a commit message. With "auto" git chooses one per message and tells
 * nobody; it is the usual one unless the message itself has lines that start with it.
 */
export async function commentCharOf(repo: Repo): Promise<string> {
  const config = await configOf(repo);
  const text = config.get("core.commentstring") ?? config.get("core.commentchar");
  return text === undefined || text === "" || text === "auto" ? "#" : text;
}
