import type { TranscriptEntry } from "../transcripts/entry.ts";
import { isRecord, parsed } from "../transcripts/json.ts";
import { anthropicTokens } from "./answer-line.ts";

const USER = Buffer.from('"type":"user"');
const ASSISTANT = Buffer.from('"type":"assistant"');
const CHILD = Buffer.from('"isSidechain":true');
const SYNTHETIC = Buffer.from('"<synthetic>"');
const MESSAGE = Buffer.from('"message":{');
const CONTENT = Buffer.from('"content":');
const ID = Buffer.from('"id":"');
const USAGE = Buffer.from('"usage"');
/** Stands before the usage of an answer, and in nothing a tool is called with. */
const STOP = Buffer.from('"stop_sequence":');
const STOP_BYTES = 80;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Finds usage and id of an answer by their keys. Inside of a text a quote has a backslash before
 * it, so `"usage"` is not part of one; where it is not certain whose it is, the line is left to a
 * parser.
 */
export function quickUsage(line: Buffer): TranscriptEntry[] | undefined {
  const isUser = line.includes(USER);
  const isAssistant = line.includes(ASSISTANT);
  if (isUser === isAssistant) return undefined;
  // Results of subagents repeat what those used: that is counted with them.
  if (isUser) return [];
  const at = line.indexOf(USAGE);
  if (at === -1 || line.indexOf(USAGE, at + 1) !== -1 || line.includes(SYNTHETIC)) return undefined;
  if (!line.subarray(Math.max(0, at - STOP_BYTES), at).includes(STOP)) return undefined;
  const child = line.indexOf(CHILD);
  // In what a tool is called with it would mean nothing.
  if (child > line.indexOf(MESSAGE)) return undefined;
  const key = idBeforeContent(line);
  const usage = objectAt(line, at + USAGE.length + 1);
  if (key === undefined || !isRecord(usage)) return undefined;
  const entry = { kind: "assistant", usage: { key, tokens: anthropicTokens(usage) } } as const;
  return [child === -1 ? entry : { ...entry, inSubagent: "sidechain" }];
}

/** What stands before the content of a message is about the message. */
function idBeforeContent(line: Buffer): string | undefined {
  const message = line.indexOf(MESSAGE);
  const content = message === -1 ? -1 : line.indexOf(CONTENT, message);
  const start = content === -1 ? -1 : line.indexOf(ID, message) + ID.length;
  if (start < ID.length || start > content) return undefined;
  const id = line.toString("utf8", start, line.indexOf(QUOTE, start));
  return id === "" || id.includes("\\") ? undefined : id;
}

/** The object that begins here; undefined if none does. */
function objectAt(line: Buffer, start: number): unknown {
  if (line[start] !== OPENING) return undefined;
  let depth = 0;
  let isText = false;
  for (let at = start; at < line.length; at++) {
    const byte = line[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPENING) depth++;
    else if (byte === CLOSING && --depth === 0) return parsed(line.toString("utf8", start, at + 1));
  }
  return undefined;
}
