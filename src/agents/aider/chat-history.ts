import { isAbsolute, join } from "node:path";
import type { Place } from "../agent.ts";

const HEADER = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\s*$/;
const HEADERS = new RegExp(HEADER.source.replace("\\s*$", "[ \\t\\r]*$"), "gm");

/** The one file in which aider keeps all its chats in a project. */
export function historyFile({ project, env }: Place): string {
  const file = env.AIDER_CHAT_HISTORY_FILE || ".aider.chat.history.md";
  return isAbsolute(file) ? file : join(project, file);
}

export function hasHeader(head: string): boolean {
  return head.search(HEADERS) !== -1;
}

/** A chat is known by when it started: aider gives it no id. */
export function startedChat(line: string): { id: string; at: string } | undefined {
  const [, day, time] = HEADER.exec(line) ?? [];
  if (day === undefined || time === undefined) return undefined;
  // Local time, as aider wrote it.
  const started = new Date(`${day}T${time}`);
  const at = Number.isNaN(started.getTime()) ? `${day}T${time}` : started.toISOString();
  return { id: `aider-${day.replaceAll("-", "")}${time.replaceAll(":", "")}`, at };
}

/** The part of a history that is one chat. */
export function chatIn(history: Buffer, sessionId: string): Buffer | undefined {
  // Bytes and characters are the same in this encoding, so places are too.
  const text = history.toString("latin1");
  const chats = Array.from(text.matchAll(HEADERS), (match) => ({
    id: startedChat(match[0])?.id,
    start: match.index,
  }));
  const at = chats.findIndex(({ id }) => id === sessionId);
  const chat = chats[at];
  return chat && history.subarray(chat.start, chats[at + 1]?.start);
}
