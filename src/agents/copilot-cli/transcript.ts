import type { TokenUsage } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import { skillOfPrompt } from "../hooks/skills.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import { headRecords } from "../transcripts/head-records.ts";
import { compact, count, type Json, list, record, text } from "../transcripts/json.ts";
import { jsonlFormat } from "../transcripts/jsonl.ts";
import { readCall } from "../transcripts/read-call.ts";
import { waitForQuiet } from "./late-flush.ts";
import { tools } from "./tools.ts";

const SOURCE = { agent: "copilot-cli", tools } as const;

/** Copilot CLI: events, those of subagents among them. */
export const transcript = jsonlFormat({
  recognise: (head) =>
    headRecords(head).some(
      ({ type, data }) => (type === "session.start" || type === "session.resume") && isRecord(data),
    ),
  prepare: waitForQuiet,
  lines: { usageMarks: ['"session.usage_record"'], parse },
});

type Common = Pick<TranscriptEntry, "id" | "at" | "inSubagent">;

type Reader = (data: Json, common: Common) => TranscriptEntry;

function parse(value: unknown): TranscriptEntry[] {
  if (!isRecord(value)) return [];
  const type = text(value.type) ?? "";
  const common = compact({
    id: text(value.id),
    at: text(value.timestamp),
    inSubagent: text(value.agentId),
  });
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  return [read ? read(record(value.data), common) : { ...common, kind: "other" }];
}

const READERS: Readonly<Record<string, Reader>> = {
  // What a skill or another agent put there has a source.
  "user.message": (data, common) =>
    data.source === undefined
      ? compact({ ...common, kind: "user" as const, text: text(data.content) })
      : { ...common, kind: "other" },
  "assistant.message": (data, common) =>
    compact({
      ...common,
      kind: "assistant" as const,
      text: text(data.content),
      thinking: text(data.reasoningText),
      model: text(data.model),
    }),
  "tool.execution_start": (data, common) => {
    const nativeName = text(data.toolName) ?? "";
    const callId = text(data.toolCallId);
    const call = { nativeName, callId, input: data.arguments, at: common.at };
    return { ...common, kind: "tool_call", ...readCall(SOURCE, call) };
  },
  "tool.execution_complete": (data, common) => ({
    ...common,
    kind: "tool_result",
    tool: resultOf(data),
  }),
  "subagent.started": (data, common) => ({
    ...common,
    kind: "other",
    subagent: compact({ id: common.inSubagent, call: text(data.toolCallId) }),
  }),
  "session.usage_record": (data, common) => usageOf(record(data.usage), common),
  "session.compaction_complete": (data, common) => ({
    ...common,
    kind: data.success === false ? "other" : "compaction",
  }),
  "session.start": (data, common) =>
    compact({
      ...common,
      kind: "other" as const,
      model: text(data.selectedModel),
      cwd: text(record(data.context).cwd),
    }),
  "session.model_change": (data, common) =>
    compact({ ...common, kind: "other" as const, model: text(data.newModel) }),
  "session.title_changed": (data, common) =>
    compact({ ...common, kind: "other" as const, summary: text(data.title) }),
  "skill.invoked": skillOf,
  "skill.invoked_ref": skillOf,
};

function resultOf(data: Json): NonNullable<TranscriptEntry["tool"]> {
  // What really was written to, as Copilot saw it.
  const files = list(data.fileEdits).flatMap((edit) => text(record(edit).path) ?? []);
  return compact({
    name: "",
    nativeName: "",
    callId: text(data.toolCallId),
    output: withoutShellNote(data.result) ?? data.error,
    isError: data.success === false || count(record(data.shellExecution).exitCode) > 0,
    files: files.length > 0 ? files : undefined,
  });
}

/** What Copilot writes below the output of a command, for the model. */
const SHELL_NOTE = /\s*<shellId: \S+ completed with exit code \d+>\s*$/;

/** A result as people read it; where the note is all there is, it stays. */
function withoutShellNote(result: unknown): unknown {
  const { content } = record(result);
  const said = typeof content === "string" ? content.replace(SHELL_NOTE, "") : "";
  return said === "" ? result : { ...record(result), content: said };
}

/** A skill the user asked for; one the model asks for is told by its tool. */
function skillOf(data: Json, common: Common): TranscriptEntry {
  const skill = text(data.name);
  if (skill === undefined || data.trigger !== "user-invoked") return { ...common, kind: "other" };
  const typed = skillOfPrompt(SOURCE, {
    skill,
    command: `/${skill}`,
    ...(common.id !== undefined && { key: common.id }),
    ...(common.at !== undefined && { timestamp: common.at }),
  });
  return { ...common, kind: "other", skill: typed };
}

function usageOf(usage: Json, common: Common): TranscriptEntry {
  const { usageId } = record(usage.accounting);
  const key = text(usageId) ?? text(usage.apiCallId) ?? common.id;
  return compact({
    ...common,
    kind: "other" as const,
    model: text(usage.model),
    usage: key === undefined ? undefined : { key, tokens: tokensOf(usage) },
  });
}

/** Copilot counts cached input as input. */
function tokensOf(usage: Json): TokenUsage {
  const read = count(usage.cacheReadTokens);
  const written = count(usage.cacheWriteTokens);
  return {
    input_tokens: Math.max(0, count(usage.inputTokens) - read - written),
    cache_creation_tokens: written,
    cache_read_tokens: read,
    output_tokens: count(usage.outputTokens),
    api_call_count: 1,
  };
}
