import { readFile } from "node:fs/promises";
import { chunkLines, joinLines } from "../transcripts/chunk-lines.ts";
import type { Located, TranscriptFormat } from "../transcripts/format.ts";
import { type Json, text } from "../transcripts/json.ts";
import {
  type DatabaseRef,
  type ExportedMessage,
  infoOf,
  messagesFrom,
  originOf,
  parseRef,
  withDatabase,
} from "./database.ts";
import { readExport, writeExport } from "./export.ts";
import { isOpen, messageOf } from "./message.ts";

const HEAD = /^\s*\{\s*"info"\s*:\s*\{\s*"id"\s*:\s*"ses_/;
/** OpenCode's own, until it has found a better one. */
const NO_TITLE = /^(?:New|Child) session - \d/;

/**
 * OpenCode keeps sessions in a database. A ref is `<database>#<session id>`, or a file in the
 * form of `opencode export`, which is also what is stored and given back.
 */
export const transcript: TranscriptFormat = {
  unit: "message",
  async read(ref) {
    const at = parseRef(ref);
    return at ? readSession(at) : readFile(ref);
  },
  recognise: (head) => HEAD.test(head.toString("utf8", 0, 400).replace(/^\uFEFF/, "")),
  chunk: chunkLines,
  reassemble: joinLines,
  async *entries(ref, from) {
    const at = parseRef(ref);
    yield* at
      ? await entriesInDatabase(at, from)
      : document(await readFile(ref)).filter(({ position }) => position >= from);
  },
  document,
};

async function readSession({ path, sessionId }: DatabaseRef): Promise<Buffer> {
  return withDatabase(path, (query) => {
    const info = infoOf(query, sessionId);
    if (!info) throw new Error(`there is no session ${sessionId} in ${path}`);
    return writeExport({ info, messages: messagesFrom(query, sessionId, 0) });
  });
}

function entriesInDatabase({ path, sessionId }: DatabaseRef, from: number): Promise<Located[]> {
  return withDatabase(path, (query) => {
    const info = infoOf(query, sessionId);
    if (!info) throw new Error(`there is no session ${sessionId} in ${path}`);
    const told = located(info, messagesFrom(query, sessionId, from), from);
    const origin = from === 0 ? originOf(query, sessionId) : undefined;
    return origin === undefined ? told : withOrigin(told, origin);
  });
}

function withOrigin([first, ...rest]: readonly Located[], session: string): Located[] {
  return first ? [{ ...first, entry: { ...first.entry, session } }, ...rest] : [];
}

function document(content: Buffer): Located[] {
  const exported = readExport(content);
  return exported ? located(exported.info, exported.messages, 0) : [];
}

function located(info: Json, messages: readonly ExportedMessage[], from: number): Located[] {
  const last = messages.length - 1;
  const told = messages.flatMap((message, index) => {
    const open = index === last && isOpen(message);
    return messageOf(message).map((entry) => ({
      position: from + index,
      entry,
      ...(open && { open }),
    }));
  });
  const [first, ...rest] = told;
  const title = text(info.title);
  if (!first || title === undefined || NO_TITLE.test(title)) return told;
  return [{ ...first, entry: { ...first.entry, summary: title } }, ...rest];
}
