import type { TokenUsage } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import { headRecords } from "../transcripts/head-records.ts";
import { amount, compact, count, type Json, list, record, text } from "../transcripts/json.ts";
import { jsonlFormat } from "../transcripts/jsonl.ts";
import { type CallSource, readCall } from "../transcripts/read-call.ts";
import { textOf, thoughtsIn } from "../transcripts/text-blocks.ts";
import { tools } from "./tools.ts";

// Pi names its tools in the normal words already, so there is nothing it could call a skill.
const SOURCE: CallSource = { agent: "pi", tools };

/** Pi: a tree of entries, one a line. */
export const transcript = jsonlFormat(formatOf(SOURCE));

/** Other agents write it too. */
export function formatOf(source: CallSource) {
  return {
    recognise: (head: Buffer) =>
      headRecords(head, 1).some(
        ({ type, id, version }) =>
          type === "session" && typeof id === "string" && typeof version === "number",
      ),
    lines: { usageMarks: ['"usage"'], parse: (value: unknown) => parse(source, value) },
  };
}

type Common = Pick<TranscriptEntry, "id" | "at">;

function parse(source: CallSource, value: unknown): TranscriptEntry[] {
  if (!isRecord(value)) return [];
  const common = compact({ id: text(value.id), at: text(value.timestamp) });
  switch (value.type) {
    case "message":
      return messageOf(source, record(value.message), common);
    case "session":
      return [
        compact({
          ...common,
          kind: "other" as const,
          session: forkOf(value),
          cwd: text(value.cwd),
        }),
      ];
    case "compaction":
      return [{ ...common, kind: "compaction" }];
    case "model_change":
      return [compact({ ...common, kind: "other" as const, model: text(value.modelId) })];
    case "session_info":
      return [compact({ ...common, kind: "other" as const, summary: text(value.name) })];
    default:
      return [{ ...common, kind: "other" }];
  }
}

/** The file of the session before it is named after that session. */
function forkOf({ parentSession }: Json): string | undefined {
  return /([^/\\_]+)\.jsonl$/.exec(text(parentSession) ?? "")?.[1];
}

function messageOf(source: CallSource, message: Json, common: Common): TranscriptEntry[] {
  switch (message.role) {
    case "user": {
      const said = textOf(message.content);
      const typed = said === undefined ? undefined : asTyped(said);
      return [compact({ ...common, kind: "user" as const, text: typed })];
    }
    case "assistant":
      return answered(source, message, common);
    case "toolResult":
      return [resultOf(message, common)];
    default:
      return [{ ...common, kind: "other" }];
  }
}

/** Pi keeps only what `/skill:name …` was replaced by, and so does the embedded agent. */
function asTyped(said: string): string {
  const [, name, args] =
    /^<skill name="([^"]+)" (?:location|folder)="[^"]+">\n[\s\S]*?\n<\/skill>(?:\n\n([\s\S]*))?$/.exec(
      said,
    ) ?? [];
  if (name === undefined) return said;
  return args ? `/skill:${name} ${args}` : `/skill:${name}`;
}

function answered(source: CallSource, message: Json, common: Common): TranscriptEntry[] {
  const answer = compact({
    ...common,
    kind: "assistant" as const,
    text: textOf(message.content),
    thinking: thoughtsIn(message.content, "thinking", "thinking"),
    model: text(message.model),
    usage:
      isRecord(message.usage) && common.id !== undefined
        ? compact({
            key: common.id,
            tokens: tokensOf(message.usage),
            cost: amount(record(message.usage.cost).total),
          })
        : undefined,
  });
  const calls = list(message.content)
    .map(record)
    .filter(({ type, name }) => type === "toolCall" && typeof name === "string")
    .map((block): TranscriptEntry => {
      const nativeName = text(block.name) ?? "";
      const call = { nativeName, callId: text(block.id), input: block.arguments, at: common.at };
      return { ...common, kind: "tool_call", ...called(source, call) };
    });
  return [answer, ...calls];
}

function called(source: CallSource, call: Parameters<typeof readCall>[1]) {
  const { tool, skill } = readCall(source, call);
  // A tool of an extension may have that name too.
  return skill && Object.hasOwn(source.tools.tools, call.nativeName) ? { tool, skill } : { tool };
}

function resultOf(message: Json, common: Common): TranscriptEntry {
  const nativeName = text(message.toolName) ?? "";
  return {
    ...common,
    kind: "tool_result",
    tool: compact({
      name: nativeName,
      nativeName,
      callId: text(message.toolCallId),
      output: message.content,
      isError: message.isError === true,
    }),
  };
}

/** Cached input is counted apart from input. */
function tokensOf(usage: Json): TokenUsage {
  return {
    input_tokens: count(usage.input),
    cache_creation_tokens: count(usage.cacheWrite),
    cache_read_tokens: count(usage.cacheRead),
    output_tokens: count(usage.output),
    api_call_count: 1,
  };
}
