import { noTokens } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import { headRecords } from "../transcripts/head-records.ts";
import { compact, type Json, list, record, text } from "../transcripts/json.ts";
import { jsonlFormat } from "../transcripts/jsonl.ts";
import { readCall } from "../transcripts/read-call.ts";
import { resultIn } from "../transcripts/result-block.ts";
import { textOf, thoughtsIn } from "../transcripts/text-blocks.ts";
import { tools } from "./tools.ts";

const SOURCE = { agent: "factoryai-droid", tools } as const;
/** What Droid itself puts into a session. */
const INJECTED = /^\s*<system-(?:reminder|notification)/;

/** Droid: messages like Anthropic's. Their cost is not among them, but in a file beside. */
export const transcript = jsonlFormat({
  recognise: (head) => headRecords(head).some(isStart),
  lines: { usageMarks: ['"assistant"'], parse },
});

function isStart({ type, id, owner, version }: Json): boolean {
  const isDroids = typeof owner === "string" || typeof version === "number";
  return type === "session_start" && typeof id === "string" && isDroids;
}

/** A message says only that there was a call, not what it cost. */
const ONE_CALL = { ...noTokens(), api_call_count: 1 };

type Common = Pick<TranscriptEntry, "id" | "at">;

function parse(value: unknown): TranscriptEntry[] {
  if (!isRecord(value)) return [];
  const common = compact({ id: text(value.id), at: text(value.timestamp) });
  switch (value.type) {
    case "message":
      return messageOf(record(value.message), common);
    case "session_start":
      return [
        compact({
          ...common,
          kind: "other" as const,
          summary: text(value.title),
          cwd: text(value.cwd),
        }),
      ];
    case "compaction_state":
      return [{ ...common, kind: "compaction" }];
    default:
      return [{ ...common, kind: "other" }];
  }
}

function messageOf(message: Json, common: Common): TranscriptEntry[] {
  const blocks = list(message.content).map(record);
  if (message.role === "assistant") {
    const calls = blocks.filter(
      ({ type, name }) => type === "tool_use" && typeof name === "string",
    );
    const answer = {
      ...common,
      kind: "assistant" as const,
      text: textOf(message.content),
      thinking: thoughtsIn(message.content, "thinking", "thinking"),
      model: text(message.modelId),
      usage: common.id === undefined ? undefined : { key: common.id, tokens: ONE_CALL },
    };
    return [compact(answer), ...calls.map((block) => callOf(block, common))];
  }
  const results = blocks.filter(({ type }) => type === "tool_result");
  if (results.length > 0) return results.map((block) => resultOf(block, common));
  const said = textOf(message.content);
  // Runs of hooks are messages of the user that only the user sees.
  const isTyped = message.role === "user" && message.visibility === undefined;
  if (said === undefined || !isTyped || INJECTED.test(said)) return [{ ...common, kind: "other" }];
  return [{ ...common, kind: "user", text: said }];
}

function callOf(block: Json, common: Common): TranscriptEntry {
  const nativeName = text(block.name) ?? "";
  const callId = text(block.id);
  const call = readCall(SOURCE, { nativeName, callId, input: block.input, at: common.at });
  return { ...common, kind: "tool_call", ...call };
}

function resultOf(block: Json, common: Common): TranscriptEntry {
  return { ...common, kind: "tool_result", tool: resultIn(block) };
}
