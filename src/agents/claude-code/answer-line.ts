import type { TokenUsage } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import type { EntryUsage, TranscriptEntry } from "../transcripts/entry.ts";
import { amount, compact, count, type Json, list, record, text } from "../transcripts/json.ts";
import { readCall } from "../transcripts/read-call.ts";
import { textOf, thoughtsIn } from "../transcripts/text-blocks.ts";
import type { CommonFields } from "./common-fields.ts";
import { tools } from "./tools.ts";
import { SKILLS, takeCommand, typedSkill } from "./typed-command.ts";

/** Model of answers Claude Code made up itself, such as an error message. */
const SYNTHETIC = "<synthetic>";

const SOURCE = { ...SKILLS, tools };

/** A block of an answer; all lines of one answer repeat its usage. */
export function answered(
  line: Json,
  common: CommonFields,
  seen: Map<string, unknown>,
  position: number,
): TranscriptEntry[] {
  const message = record(line.message);
  const model = text(message.model);
  const isMade = model === SYNTHETIC;
  const said = textOf(message.content);
  const calls = list(message.content)
    .map(record)
    .filter(({ type, name }) => type === "tool_use" && typeof name === "string")
    .map((block) => callOf(block, common));
  const answer = compact({
    ...common,
    kind: "assistant" as const,
    text: isMade ? undefined : said,
    thinking: thoughtsIn(message.content, "thinking", "thinking"),
    model: isMade ? undefined : model,
    usage: usageOf(message, line),
  });
  return [...commandOf(line, common, seen, position), answer, ...calls];
}

function callOf(block: Json, common: CommonFields): TranscriptEntry {
  const nativeName = text(block.name) ?? "";
  const callId = text(block.id);
  const call = readCall(SOURCE, { nativeName, callId, input: block.input, at: common.at });
  return { ...common, kind: "tool_call", ...call };
}

/** The answer names the skill it follows: then the command typed just before was one. */
function commandOf(
  line: Json,
  { inSubagent }: CommonFields,
  seen: Map<string, unknown>,
  position: number,
): TranscriptEntry[] {
  if (inSubagent !== undefined) return [];
  const command = takeCommand(seen);
  if (!command || line.attributionSkill !== command.name) return [];
  const { id, at } = command;
  const skill = typedSkill(command, { position });
  return [compact({ kind: "user" as const, id, at, text: command.text, skill })];
}

function usageOf(message: Json, line: Json): EntryUsage | undefined {
  if (!isRecord(message.usage) || message.model === SYNTHETIC) return undefined;
  const key = text(message.id) ?? text(line.requestId) ?? text(line.uuid);
  if (key === undefined) return undefined;
  const hour = count(record(message.usage.cache_creation).ephemeral_1h_input_tokens);
  return compact({
    key,
    tokens: anthropicTokens(message.usage),
    hourCacheTokens: hour > 0 ? hour : undefined,
    cost: amount(line.costUSD),
  });
}

/** Cached input is counted apart from input. */
export function anthropicTokens(usage: Json): TokenUsage {
  return {
    input_tokens: count(usage.input_tokens),
    cache_creation_tokens: count(usage.cache_creation_input_tokens),
    cache_read_tokens: count(usage.cache_read_input_tokens),
    output_tokens: count(usage.output_tokens),
    api_call_count: 1,
  };
}
