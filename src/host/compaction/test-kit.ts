import fc from "fast-check";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  CompactionEntry,
  SessionEntry,
  StopReason,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "../../events/index.ts";

type Draft<E> = E extends SessionEntry ? Omit<E, "id" | "parentId" | "timestamp"> : never;

/** A branch out of drafts: ids e0, e1 …, each entry below the one before, a second apart. */
export function branch(drafts: readonly Draft<SessionEntry>[], start = 0): SessionEntry[] {
  return drafts.map((draft, index) => ({
    ...draft,
    id: `e${start + index}`,
    parentId: start + index === 0 ? null : `e${start + index - 1}`,
    timestamp: new Date((start + index + 1) * 1_000).toISOString(),
  }));
}

export const entry = (message: AgentMessage): Draft<SessionEntry> => ({ type: "message", message });

export const user = (text: string, timestamp = 0): UserMessage => ({
  role: "user",
  content: text,
  timestamp,
});

const usage = (totalTokens: number): Usage => ({
  input: totalTokens,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
});

export function assistant(
  content: string | AssistantContent[],
  more: { total?: number; stopReason?: StopReason; timestamp?: number } = {},
): AssistantMessage {
  return {
    role: "assistant",
    content: typeof content === "string" ? [{ type: "text", text: content }] : content,
    api: "scripted",
    provider: "scripted",
    model: "scripted",
    usage: usage(more.total ?? 0),
    stopReason: more.stopReason ?? "stop",
    timestamp: more.timestamp ?? 0,
  };
}

export const call = (
  id: string,
  name: string,
  args: Record<string, unknown> = {},
): AssistantContent => ({ type: "toolCall", id, name, arguments: args });

export const result = (id: string, text: string, isError = false): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "read",
  content: [{ type: "text", text }],
  isError,
  timestamp: 0,
});

export const compaction = (
  firstKeptEntryId: string,
  summary = "notes",
  details?: unknown,
): Draft<CompactionEntry> => ({
  type: "compaction",
  summary,
  firstKeptEntryId,
  tokensBefore: 0,
  details,
});

const text = fc.nat({ max: 400 }).map((length) => "x".repeat(length));

const aside: fc.Arbitrary<Draft<SessionEntry>> = fc.constantFrom<Draft<SessionEntry>>(
  { type: "model_change", provider: "p", modelId: "m" },
  { type: "thinking_level_change", thinkingLevel: "high" },
  { type: "custom", customType: "state", data: {} },
  { type: "label", targetId: "e0", label: "here" },
  { type: "session_info", name: "n" },
);

const bash = text.map((output) =>
  entry({
    role: "bashExecution",
    command: "ls",
    output,
    exitCode: 0,
    cancelled: false,
    truncated: false,
    timestamp: 0,
  }),
);

const said: fc.Arbitrary<Draft<SessionEntry>> = fc.oneof(
  text.map((content) => entry(user(content))),
  bash,
  text.map((content) => ({
    type: "custom_message" as const,
    customType: "note",
    content,
    display: true,
  })),
  text.map((summary) => ({ type: "branch_summary" as const, fromId: "e0", summary })),
);

/** An answer with tool calls and their results; something else may be said while tools run. */
const round = fc
  .record({
    results: fc.array(text, { maxLength: 3 }),
    between: fc.array(fc.oneof(aside, said), { maxLength: 1 }),
    at: fc.nat({ max: 3 }),
    words: text,
    seed: fc.uuid(),
  })
  .map(({ results, between, at, words, seed }) => {
    const ids = results.map((_, index) => `${seed}-${index}`);
    const calls = ids.map((id) => call(id, "read", { path: "a.ts" }));
    const answer = assistant([{ type: "text", text: words }, ...calls]);
    const below = results.map((output, index) => entry(result(ids[index] ?? "", output)));
    below.splice(at, 0, ...between);
    return [entry(answer), ...below];
  });

const turn = fc
  .tuple(
    said,
    fc.array(
      fc.oneof(
        round,
        aside.map((one) => [one]),
      ),
      { maxLength: 5 },
    ),
  )
  .map(([start, rest]) => [start, ...rest.flat()]);

/** Everything a session can hold, apart from compactions. */
export const drafts = fc.array(turn, { maxLength: 6 }).map((turns) => turns.flat());

export function textOfRequest(request: { messages: readonly AgentMessage[] } | undefined): string {
  const [message] = request?.messages ?? [];
  const content = message?.role === "user" ? message.content : [];
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
