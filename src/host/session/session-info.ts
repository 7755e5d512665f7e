import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { SessionHeader } from "../../events/index.ts";
import { textOfContent } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import { parseEntry, parseHeader } from "./parse-entry.ts";

/** A session in a list. */
export interface SessionInfo {
  readonly path: string;
  readonly id: string;
  readonly cwd: string;
  readonly name: string | undefined;
  readonly created: Date;
  /** When the last message was said. */
  readonly modified: Date;
  readonly messageCount: number;
  /**
   * What the user asked first, or the beginning of it if it is very long; empty if nothing yet, or if
   * it is behind a very large beginning.
   */
  readonly firstMessage: string;
  readonly parentSessionPath: string | undefined;
  /**
   * True for a large file, of which only the beginning and the end were read: `messageCount` is an
   * estimate, and a name that was given in between and never again is not seen.
   */
  readonly isEstimate: boolean;
}

/** Files up to this size are read whole, of larger ones a part of it at either end. */
const SMALL = 256 * 1024;
const PART = 64 * 1024;

/** Undefined if it is not a session. */
export function readSessionInfo(path: string): SessionInfo | undefined {
  const fd = openSync(path, "r");
  try {
    const { size, mtime } = fstatSync(fd);
    const isEstimate = size > SMALL;
    const head = linesOf(readPart(fd, 0, isEstimate ? PART : size));
    // The last line of the first part and the first of the last one are cut.
    const read = isEstimate
      ? [...head.slice(0, -1), ...linesOf(readPart(fd, size - PART, PART)).slice(1)]
      : head;
    const [first, ...lines] = read;
    const header = headerOf(first);
    if (!header) return undefined;
    const found = summarize(lines);
    const share = isEstimate ? size / (2 * PART) : 1;
    return {
      path,
      id: header.id,
      cwd: header.cwd,
      name: found.name,
      created: dateOf(header.timestamp) ?? mtime,
      modified: found.lastActive ?? (isEstimate ? mtime : dateOf(header.timestamp)) ?? mtime,
      messageCount: Math.round(found.messages * share),
      firstMessage: (isEstimate && firstIn(head)) || found.firstMessage,
      parentSessionPath: header.parentSession,
      isEstimate,
    };
  } finally {
    closeSync(fd);
  }
}

/** The header alone. */
export function readHeader(path: string): SessionHeader | undefined {
  const fd = openSync(path, "r");
  try {
    return headerOf(linesOf(readPart(fd, 0, PART))[0]);
  } finally {
    closeSync(fd);
  }
}

function summarize(lines: readonly string[]) {
  let name: string | undefined;
  let messages = 0;
  let firstMessage = "";
  let lastActive: Date | undefined;
  for (const line of lines) {
    const entry = entryOf(line);
    if (entry?.type === "session_info") name = entry.name?.trim() || undefined;
    if (entry?.type !== "message") continue;
    messages++;
    const { message } = entry;
    if (message.role !== "user" && message.role !== "assistant") continue;
    if (message.role === "user") firstMessage ||= textOfContent(message.content);
    const said = dateOf(message.timestamp) ?? dateOf(entry.timestamp);
    if (said && (!lastActive || said > lastActive)) lastActive = said;
  }
  return { name, messages, firstMessage, lastActive };
}

// The text of a prompt that a user wrote, as far as it was read.
const CUT_PROMPT =
  /"role":"user","content":(?:\[\{"type":"text","text":)?"((?:[^"\\]|\\[^u]|\\u[0-9a-f]{4}){1,1000})/i;

/** The first prompt in the beginning of a file, or what was read of it: the last line is cut. */
function firstIn(head: readonly string[]): string {
  return summarize(head.slice(1, -1)).firstMessage || cutPrompt(head.at(-1));
}

function cutPrompt(line = ""): string {
  const text = parse(`"${CUT_PROMPT.exec(line)?.[1] ?? ""}"`);
  return typeof text === "string" ? text : "";
}

function headerOf(line: string | undefined): SessionHeader | undefined {
  const value = line === undefined ? undefined : parse(line);
  return isRecord(value) ? parseHeader(value, "") : undefined;
}

function entryOf(line: string) {
  const value = parse(line);
  // Version 1 had no ids; for a list any will do.
  return isRecord(value) ? parseEntry({ id: "?", ...value })?.entry : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString().split("\n");
}

function readPart(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(fd, buffer, 0, length, position));
}

function dateOf(time: string | number): Date | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
