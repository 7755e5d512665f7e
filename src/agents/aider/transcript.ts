import type { TokenUsage } from "../../events/index.ts";
import { contentEntries } from "../transcripts/content-entries.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import type { TranscriptFormat } from "../transcripts/format.ts";
import { amount, compact } from "../transcripts/json.ts";
import { jsonlFormat } from "../transcripts/jsonl.ts";
import { hasHeader, parseChatRef, readChat, startedChat } from "./chat-history.ts";
import { ChatPart } from "./chat-part.ts";

const EDITED = /^(?:Applied edit to|Creating empty file) (.+?)\s*$/;
/** Aider commits what it edited, with git. */
const COMMITTED = /^Commit ([0-9a-f]{7,40}) (.*)$/;
const MODEL = /^(?:Model|Models|Main model): (\S+) with /;
const NUMBER = "([\\d.,]+[kM]?)";
const TOKENS = new RegExp(
  `^Tokens: ${NUMBER} sent(?:, ${NUMBER} cache write)?(?:, ${NUMBER} cache hit)?, ${NUMBER} received`,
);
const OLDER_TOKENS = new RegExp(`^${NUMBER} prompt tokens, ${NUMBER} completion tokens`);

/**
 * Aider: Markdown. Prompts are headings (`#### `), what aider itself says is quoted (`> `), the
 * rest is the model's. Prompts and answers are told when the next part begins. One file has all
 * chats of a project, so a session is a part of it.
 */
export const transcript: TranscriptFormat = {
  ...jsonlFormat({
    recognise: (head) => hasHeader(head.toString("utf8")),
    lines: { usageMarks: ["Tokens: ", " prompt tokens, "], decode: (line) => line, parse },
  }),
  read: async (ref) => readChat(ref),
  isDocument: (ref) => parseChatRef(ref) !== undefined,
  async *entries(ref, from) {
    for (const located of contentEntries(transcript, readChat(ref))) {
      if (located.position >= from) yield located;
    }
  },
};

function parse(line: unknown, seen: Map<string, unknown>, position = 0): TranscriptEntry[] {
  if (typeof line !== "string") return [];
  const part = ChatPart.in(seen);
  const chat = startedChat(line);
  if (chat) return [...part.end(), { kind: "other", id: chat.id, at: chat.at, begins: chat.id }];
  if (part.isPrompt(line)) return part.addPrompt(line, position);
  if (part.isQuoted(line)) return [...part.end(), noteOf(line.slice(1).trim(), position)];
  return part.addAnswer(line, position);
}

/** What aider says. */
function noteOf(note: string, position: number): TranscriptEntry {
  const id = `line-${position}`;
  const file = EDITED.exec(note)?.[1];
  if (file !== undefined) {
    const tool = { name: "edit", nativeName: "edit", about: file, files: [file] };
    return { kind: "tool_call", id, tool };
  }
  const [, commit, message] = COMMITTED.exec(note) ?? [];
  if (commit !== undefined) {
    const command = `git commit -m ${JSON.stringify(message)}`;
    const input = { command, commit };
    return {
      kind: "tool_call",
      id,
      tool: { name: "bash", nativeName: "git", about: command, input },
    };
  }
  const tokens = tokensOf(note);
  return compact({
    kind: "other" as const,
    id,
    model: MODEL.exec(note)?.[1],
    usage: tokens && compact({ key: id, tokens, cost: costOf(note) }),
  });
}

/** Aider rounds to hundreds and thousands; what was cached is part of what was sent. */
function tokensOf(note: string): TokenUsage | undefined {
  const newer = TOKENS.exec(note);
  const older = OLDER_TOKENS.exec(note);
  if (!newer && !older) return undefined;
  const [sent, written, read, received] = newer
    ? [newer[1], newer[2], newer[3], newer[4]].map(numberOf)
    : [numberOf(older?.[1]), 0, 0, numberOf(older?.[2])];
  return {
    input_tokens: Math.max(0, (sent ?? 0) - (written ?? 0) - (read ?? 0)),
    cache_creation_tokens: written ?? 0,
    cache_read_tokens: read ?? 0,
    output_tokens: received ?? 0,
    api_call_count: 1,
  };
}

/** "… Cost: $0.02 message, $0.05 session.", before that "…, $0.169985 cost". */
function costOf(note: string): number | undefined {
  const [, message, older] = /Cost: \$([\d.,]+) message|\$([\d.,]+) cost$/.exec(note) ?? [];
  return amount(Number.parseFloat((message ?? older ?? "").replaceAll(",", "")));
}

const FACTORS: Readonly<Record<string, number>> = { k: 1_000, M: 1_000_000 };

function numberOf(shown: string | undefined): number {
  if (shown === undefined) return 0;
  const value = Number.parseFloat(shown.replaceAll(",", ""));
  return Number.isFinite(value) ? Math.round(value * (FACTORS[shown.at(-1) ?? ""] ?? 1)) : 0;
}
