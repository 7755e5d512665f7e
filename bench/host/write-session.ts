import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

const USAGE = {
  input: 12_000,
  output: 900,
  cacheRead: 9_000,
  cacheWrite: 400,
  totalTokens: 22_300,
  cost: { input: 0.036, output: 0.0135, cacheRead: 0.0027, cacheWrite: 0.0015, total: 0.0537 },
};

const CODE = 'export const limit = (value: string) => value.length > 80 ? "\\t" + value : value;\n';
const PROSE =
  "The handler returns before the file is closed, so the second reader sees half of it. ";
/** Models like these; one of them in a text doubles what the text needs in memory. */
const MARK = "→ ✓ ";

/**
 * Writes a session of at least so many bytes, as a long day of work leaves it: short questions,
 * answers with thinking and calls, and files that were read. An entry has about 10 KB.
 */
export function writeSession(folder: string, bytes: number): { path: string; entries: number } {
  const path = join(folder, "long.jsonl");
  const fd = openSync(path, "wx");
  let written = 0;
  let entries = 0;
  let parentId: string | null = null;
  const line = (value: object) => {
    written += writeSync(fd, `${JSON.stringify(value)}\n`);
  };
  const add = (message: object) => {
    const id = entries.toString(16).padStart(8, "0");
    line({ type: "message", id, parentId, timestamp: timeAt(entries), message });
    parentId = id;
    entries++;
  };
  line({ type: "session", version: 3, id: "long", timestamp: timeAt(0), cwd: folder });
  for (let round = 0; written < bytes; round++) {
    const id = `call_${round}`;
    if (round % 10 === 0) {
      add({ role: "user", content: text(PROSE, 2 + (round % 30), round), timestamp: round });
    }
    add({ ...answer(round, id), timestamp: round });
    const result = { role: "toolResult", toolCallId: id, toolName: "read", isError: false };
    add({ ...result, content: [block(CODE, 40 + ((round * 37) % 320), round)], timestamp: round });
  }
  closeSync(fd);
  return { path, entries };
}

function answer(round: number, id: string) {
  const thinking = text(PROSE, 5 + (round % 20), round);
  const path = `src/part-${round % 50}/file-${round}.ts`;
  const edits = [
    { oldText: text(CODE, 3 + (round % 12), round), newText: text(CODE, round % 16, round) },
  ];
  return {
    role: "assistant",
    content: [
      { type: "thinking", thinking, thinkingSignature: String(round).repeat(60) },
      block(PROSE, 1 + (round % 12), round),
      { type: "toolCall", id, name: "edit", arguments: { path, edits } },
    ],
    api: "anthropic-messages",
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    usage: USAGE,
    stopReason: "toolUse",
  };
}

function block(piece: string, times: number, round: number) {
  return { type: "text", text: text(piece, times, round) };
}

function text(piece: string, times: number, round: number): string {
  return `${round % 5 === 0 ? MARK : ""}${round} ${piece.repeat(times)}`;
}

function timeAt(second: number): string {
  return new Date(Date.UTC(2025, 0, 1) + second * 1000).toISOString();
}
