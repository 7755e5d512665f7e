import { createHash } from "node:crypto";
import { isAbsolute, join } from "node:path";
import { readRegular } from "../../files/index.ts";
import type { AgentFolders } from "../agent.ts";

const HEADER = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\s*$/;
const HEADERS = new RegExp(HEADER.source.replace("\\s*$", "[ \\t\\r]*$"), "gm");
/** A history that is longer cannot be looked through for one chat in reasonable time. */
const LONGEST_HISTORY = 512 * 1024 * 1024;
const REF = /^(.+)#(aider-\d{14}(?:-[0-9a-f]+)?)$/s;
/** What two ids of one chat have in common: in another folder the same chat has another end. */
const TIME = /^aider-\d{14}/;

/** The one file in which aider keeps all its chats in a project. */
export function historyFile({ project, env }: AgentFolders): string {
  const file = env.AIDER_CHAT_HISTORY_FILE || ".aider.chat.history.md";
  return isAbsolute(file) ? file : join(project, file);
}

export function hasHeader(head: string): boolean {
  return head.search(HEADERS) !== -1;
}

/** A chat is known by when it started, to the second: aider gives it no id. */
export function startedChat(line: string): { id: string; at: string } | undefined {
  const [, day, time] = HEADER.exec(line) ?? [];
  if (day === undefined || time === undefined) return undefined;
  // Local time, as aider wrote it.
  const started = new Date(`${day}T${time}`);
  const at = Number.isNaN(started.getTime()) ? `${day}T${time}` : started.toISOString();
  return { id: `aider-${day.replaceAll("-", "")}${time.replaceAll(":", "")}`, at };
}

/** The same for a chat in one history: in another folder one may start in the same second. */
export function sessionIdOf(path: string, chat: string): string {
  return `${chat}-${createHash("sha256").update(path).digest("hex").slice(0, 6)}`;
}

/** One chat of a history: `<file>#<session id>`. */
export function chatRef(path: string, sessionId: string): string {
  return `${path}#${sessionId}`;
}

export function parseChatRef(ref: string): { path: string; sessionId: string } | undefined {
  const [, path, sessionId] = REF.exec(ref) ?? [];
  return path === undefined || sessionId === undefined ? undefined : { path, sessionId };
}

/** A chat, or a whole history. */
export function readChat(ref: string): Buffer {
  const { path, sessionId } = parseChatRef(ref) ?? { path: ref };
  const history = readRegular(path, LONGEST_HISTORY);
  if (sessionId === undefined) return history;
  const chat = chatIn(history, sessionId);
  if (!chat) throw new Error(`there is no chat ${sessionId} in ${path}`);
  return chat;
}

/** The part of a history that is one chat. */
export function chatIn(history: Buffer, sessionId: string): Buffer | undefined {
  // Bytes and characters are the same in this encoding, so places are too.
  const text = history.toString("latin1");
  const chats = Array.from(text.matchAll(HEADERS), (match) => ({
    id: startedChat(match[0])?.id,
    start: match.index,
  }));
  const [wanted] = TIME.exec(sessionId) ?? [];
  const at = chats.findIndex(({ id }) => id !== undefined && id === wanted);
  const chat = chats[at];
  return chat && history.subarray(chat.start, chats[at + 1]?.start);
}
