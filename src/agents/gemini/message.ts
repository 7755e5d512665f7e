import type { TokenUsage } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import { compact, count, type Json, list, record, text } from "../transcripts/json.ts";
import { readCall } from "../transcripts/read-call.ts";
import { resultText } from "../transcripts/story.ts";
import { textOf } from "../transcripts/text-blocks.ts";
import { tools } from "./tools.ts";

const SOURCE = { agent: "gemini", tools } as const;
const HOOK_CONTEXT = /^(?:\s*<hook_context>[\s\S]*?<\/hook_context>)+\s*/;
/** What Gemini CLI itself puts in, or a command that it answers itself. */
const NOT_A_PROMPT = /^\s*(?:<session_context>|<state_snapshot>|[/?])/;

/** How Gemini CLI tells what a command printed, and how it ended if that was not with 0. */
const COMMAND =
  /^(?:<untrusted_context>\n)?Output: ([\s\S]*?)(?:\nExit Code: (\d+))?\nProcess Group PGID:/;

type Common = Pick<TranscriptEntry, "id" | "at">;

/** A message in its form so far. What was told of it before is not told again. */
export function messageOf(
  message: Json,
  seen: Map<string, unknown>,
  { isRelisted = false } = {},
): TranscriptEntry[] {
  const common = compact({ id: text(message.id), at: text(message.timestamp) });
  const key = `m:${common.id}`;
  const told = seen.get(key);
  const isKnown = told !== undefined;
  if (message.type === "gemini") {
    const said = textOf(message.content);
    // It is written again with its tokens and with the results of its calls.
    const isAgain = typeof told === "number" && told >= (said?.length ?? 0);
    seen.set(key, Math.max(said?.length ?? 0, typeof told === "number" ? told : 0));
    const calls = list(message.toolCalls).flatMap((call) => callOf(record(call), common, seen));
    const answer = answerOf(message, isAgain ? undefined : said, common);
    return isKnown && isRelisted ? calls : [answer, ...calls];
  }
  seen.set(key, 1);
  if (isKnown) return isRelisted ? [] : [{ ...common, kind: "other" }];
  const prompt = message.type === "user" ? promptOf(message.content) : undefined;
  return prompt === undefined
    ? [{ ...common, kind: "other" }]
    : [{ ...common, kind: "user", text: prompt }];
}

function promptOf(content: unknown): string | undefined {
  const said = textOf(content)?.replace(HOOK_CONTEXT, "");
  return said === undefined || NOT_A_PROMPT.test(said) ? undefined : text(said);
}

function answerOf(message: Json, said: string | undefined, common: Common): TranscriptEntry {
  const { tokens } = message;
  return compact({
    ...common,
    kind: "assistant" as const,
    text: said,
    // Gemini CLI writes its thoughts again with the message, so they count where the answer is.
    thinking: said === undefined ? undefined : thoughtsOf(message.thoughts),
    model: text(message.model),
    usage:
      isRecord(tokens) && common.id !== undefined
        ? { key: common.id, tokens: tokensOf(tokens) }
        : undefined,
  });
}

function thoughtsOf(thoughts: unknown): string | undefined {
  const said = list(thoughts).flatMap((thought) => {
    const { subject, description } = record(thought);
    return [text(subject), text(description)].filter((part) => part !== undefined).join("\n");
  });
  return text(said.join("\n"));
}

/** A call stands in the message that made it, later together with its result. */
function callOf(call: Json, common: Common, seen: Map<string, unknown>): TranscriptEntry[] {
  const nativeName = text(call.name);
  if (nativeName === undefined) return [];
  const callId = text(call.id);
  const key = `t:${callId}`;
  const told = seen.get(key);
  const isDone = call.result !== undefined && call.result !== null;
  if (told === "done" || (told === "called" && !isDone)) return [];
  seen.set(key, isDone ? "done" : "called");
  const at = text(call.timestamp) ?? common.at;
  const read = readCall(SOURCE, { nativeName, callId, input: call.args, at });
  const entries: TranscriptEntry[] = [];
  if (told === undefined) entries.push({ ...common, kind: "tool_call", ...read });
  if (isDone) {
    const { name } = read.tool;
    const said = resultText(call.result) ?? "";
    const command = name === "bash" ? COMMAND.exec(said) : null;
    const hasFailed = command?.[2] !== undefined && command[2] !== "0";
    const isError = call.status === "error" || call.status === "cancelled" || hasFailed;
    const about = command ? command[1] : undefined;
    const tool = compact({ name, nativeName, callId, output: call.result, about, isError });
    entries.push({ ...common, kind: "tool_result", tool });
  }
  return entries;
}

/** Gemini counts cached input as input, and thinking apart from output. */
function tokensOf(tokens: Json): TokenUsage {
  const read = count(tokens.cached);
  return {
    input_tokens: Math.max(0, count(tokens.input) - read) + count(tokens.tool),
    cache_creation_tokens: 0,
    cache_read_tokens: read,
    output_tokens: count(tokens.output) + count(tokens.thoughts),
    api_call_count: 1,
  };
}
