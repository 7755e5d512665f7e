import type { TokenUsage } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import { amount, compact, count, type Json, record, text } from "../transcripts/json.ts";
import { readCall } from "../transcripts/read-call.ts";
import type { ExportedMessage } from "./database.ts";
import { tools } from "./tools.ts";

const SOURCE = { agent: "opencode", tools } as const;

/** What a message says. */
export function messageOf({ info, parts }: ExportedMessage): TranscriptEntry[] {
  const { created } = record(info.time);
  const common = compact({ id: text(info.id), at: isoTime(created) });
  // OpenCode itself wrote it, such as "go on" after a compaction.
  const said = parts
    .filter((part) => part.type === "text" && part.synthetic !== true && part.ignored !== true)
    .flatMap((part) => text(part.text) ?? []);
  const isCompaction = parts.some(({ type }) => type === "compaction");
  if (isCompaction) return [{ ...common, kind: "compaction" }];
  if (info.role === "user") {
    return [compact({ ...common, kind: "user" as const, text: text(said.join("\n")) })];
  }
  if (info.role !== "assistant") return [{ ...common, kind: "other" }];
  const calls = parts.filter(({ type }) => type === "tool").flatMap((part) => callOf(part, common));
  const thinking = text(
    parts
      .filter(({ type }) => type === "reasoning")
      .flatMap((part) => text(part.text) ?? [])
      .join("\n"),
  );
  return [compact({ ...answerOf(info, said, common), thinking }), ...calls];
}

/** Whether OpenCode still works on it. */
export function isOpen({ info }: ExportedMessage): boolean {
  const { completed } = record(info.time);
  return info.role === "assistant" && completed === undefined && info.error === undefined;
}

type Common = Pick<TranscriptEntry, "id" | "at">;

function answerOf(info: Json, said: readonly string[], common: Common): TranscriptEntry {
  // A summary for the model is no answer to the user.
  const isSummary = info.summary === true;
  return compact({
    ...common,
    kind: "assistant" as const,
    text: isSummary ? undefined : text(said.join("\n")),
    model: text(info.modelID),
    usage:
      isRecord(info.tokens) && common.id !== undefined && !isUncounted(info.error, info.tokens)
        ? compact({ key: common.id, tokens: tokensOf(info.tokens), cost: amount(info.cost) })
        : undefined,
  });
}

function callOf(part: Json, common: Common): TranscriptEntry[] {
  const state = record(part.state);
  const nativeName = text(part.tool) ?? "";
  const callId = text(part.callID);
  const { sessionId, exit } = record(state.metadata);
  const read = readCall(SOURCE, { nativeName, callId, input: state.input, at: common.at });
  const child = text(sessionId);
  const type = text(record(state.input).subagent_type);
  const call: TranscriptEntry = compact({
    ...common,
    kind: "tool_call" as const,
    ...read,
    subagent:
      read.tool.name === "subagent" && child !== undefined
        ? compact({ id: child, type })
        : undefined,
  });
  if (state.status !== "completed" && state.status !== "error") return [call];
  const isError = state.status === "error" || count(exit) > 0;
  const output = state.status === "error" ? state.error : state.output;
  const tool = compact({ name: read.tool.name, nativeName, callId, output, isError });
  return [call, { ...common, kind: "tool_result", tool }];
}

/** An answer that broke off has no sums: OpenCode leaves the zeros there that it began with. */
function isUncounted(error: unknown, tokens: Json): boolean {
  const { api_call_count: _, ...sums } = tokensOf(tokens);
  return error !== undefined && Object.values(sums).every((sum) => sum === 0);
}

/** Cached input is counted apart from input, and thinking apart from output. */
function tokensOf(tokens: Json): TokenUsage {
  const cache = record(tokens.cache);
  return {
    input_tokens: count(tokens.input),
    cache_creation_tokens: count(cache.write),
    cache_read_tokens: count(cache.read),
    output_tokens: count(tokens.output) + count(tokens.reasoning),
    api_call_count: 1,
  };
}

function isoTime(value: unknown): string | undefined {
  const time = new Date(typeof value === "number" ? value : Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
