import { isRecord } from "../../values/index.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import { parsed } from "../transcripts/json.ts";
import { anthropicTokens } from "./answer-line.ts";

const TYPE = Buffer.from('"type":');
const ASSISTANT = Buffer.from('"type":"assistant"');
const CHILD = Buffer.from('"isSidechain":true');
const SYNTHETIC = Buffer.from('"<synthetic>"');
const MESSAGE = Buffer.from('"message":{');
const CONTENT = Buffer.from('"content":');
const ID = Buffer.from('"id":"');
const USAGE = Buffer.from('"usage"');
/** This text precedes the usage of an answer, and never occurs in the input of a tool. */
const STOP = Buffer.from('"stop_sequence":');
const STOP_BYTES = 80;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Finds usage and id of an answer by their keys, and looks only where these can be: before the
 * content, and after it. Inside of a text a quote has a backslash before it, so `"usage"` is not
 * part of one; where it is not certain whose it is, the line is left to a parser.
 */
export function quickUsage(line: Buffer): TranscriptEntry[] | undefined {
  const message = line.indexOf(MESSAGE);
  const content = message === -1 ? -1 : line.indexOf(CONTENT, message);
  const at = content === -1 ? -1 : line.indexOf(USAGE, content);
  if (at === -1 || !line.subarray(Math.max(0, at - STOP_BYTES), at).includes(STOP))
    return undefined;
  const start = at + USAGE.length + 1;
  const end = endOfObject(line, start);
  if (end === -1) return undefined;
  const before = line.subarray(0, message);
  const about = line.subarray(message + MESSAGE.length, content);
  const after = line.subarray(end);
  // A second usage, or a kind of line that is not told after the message as it is for answers.
  if (before.includes(USAGE) || about.includes(USAGE) || after.includes(USAGE)) return undefined;
  if (about.includes(SYNTHETIC) || after.includes(SYNTHETIC)) return undefined;
  if (after.includes(CHILD) || !isAnswer(before, after)) return undefined;
  const key = idIn(about);
  const usage = parsed(line.toString("utf8", start, end));
  if (key === undefined || !isRecord(usage)) return undefined;
  const entry = { kind: "assistant", usage: { key, tokens: anthropicTokens(usage) } } as const;
  return [before.includes(CHILD) ? { ...entry, inSubagent: "sidechain" } : entry];
}

/** Whether the only type the line has beside its message is that of an answer. */
function isAnswer(before: Buffer, after: Buffer): boolean {
  const types = countOf(TYPE, before) + countOf(TYPE, after);
  return types === 1 && (before.includes(ASSISTANT) || after.includes(ASSISTANT));
}

function countOf(what: Buffer, text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(what); at !== -1; at = text.indexOf(what, at + 1)) count++;
  return count;
}

/** What stands before the content of a message is about the message. */
function idIn(about: Buffer): string | undefined {
  const start = about.indexOf(ID) + ID.length;
  if (start < ID.length || about.indexOf(ID, start) !== -1) return undefined;
  const id = about.toString("utf8", start, about.indexOf(QUOTE, start));
  return id === "" || id.includes("\\") ? undefined : id;
}

/** Where an object ends that begins here; -1 if none does. */
function endOfObject(line: Buffer, start: number): number {
  if (line[start] !== OPENING) return -1;
  let depth = 0;
  let isText = false;
  for (let at = start; at < line.length; at++) {
    const byte = line[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPENING) depth++;
    else if (byte === CLOSING && --depth === 0) return at + 1;
  }
  return -1;
}
