import { isRecord } from "../../values/index.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import { compact, type Json, list, record, text } from "../transcripts/json.ts";
import { resultIn } from "../transcripts/result-block.ts";
import { textOf } from "../transcripts/text-blocks.ts";
import type { CommonFields } from "./common-fields.ts";
import { readCommand, rememberCommand, takeCommand, typedSkill } from "./typed-command.ts";

/** What Claude Code itself writes in the user's name. */
const INJECTED =
  /^\s*<(?:local-command-|bash-|system-reminder|task-notification|user-memory-input|command-)/;
const INTERRUPTS = /^\s*\[Request interrupted by user/;
const SKILL_BODY = "Base directory for this skill:";

/** A line in the user's name: a prompt, results of tools, or something Claude Code put there. */
export function asked(
  line: Json,
  common: CommonFields,
  seen: Map<string, unknown>,
  position: number,
): TranscriptEntry[] {
  const { content } = record(line.message);
  const results = list(content).map(record).filter(isResult);
  if (results.length > 0) return results.map((block) => resultOf(block, line, common));
  const said = textOf(content);
  if (line.isMeta === true) return expanded(line, said, common, seen, position);
  takeCommand(seen);
  const command = said === undefined ? undefined : readCommand(said);
  if (command) {
    const { id, at } = common;
    const promptId = text(line.promptId);
    rememberCommand(seen, compact({ ...command, position, id, at, promptId }));
    return [{ ...common, kind: "other" }];
  }
  if (said !== undefined && INTERRUPTS.test(said)) {
    return [{ ...common, kind: "other", interrupts: true }];
  }
  if (said === undefined || !isTyped(line, said)) return [{ ...common, kind: "other" }];
  return [{ ...common, kind: "user", text: said }];
}

function isTyped(line: Json, said: string): boolean {
  const { isCompactSummary, isVisibleInTranscriptOnly, origin } = line;
  if (isCompactSummary === true || isVisibleInTranscriptOnly === true) return false;
  if (isRecord(origin) && origin.kind !== "human") return false;
  return !INJECTED.test(said);
}

/** What a typed command turned into: then it was a prompt, and possibly a skill. */
function expanded(
  line: Json,
  said: string | undefined,
  common: CommonFields,
  seen: Map<string, unknown>,
  position: number,
): TranscriptEntry[] {
  const other: TranscriptEntry = { ...common, kind: "other" };
  // The body of a skill the model asked for with a tool: that call is what counts.
  if (line.sourceToolUseID !== undefined) return [other];
  const command = takeCommand(seen);
  if (!command) return [other];
  const isSkill = said?.startsWith(SKILL_BODY) === true;
  const prompt = compact({
    ...common,
    kind: "user" as const,
    id: command.id,
    at: command.at,
    text: command.text,
    skill: isSkill ? typedSkill(command, { position, id: common.id }) : undefined,
  });
  return [prompt, other];
}

const isResult = (block: Json) => block.type === "tool_result";

function resultOf(block: Json, line: Json, common: CommonFields): TranscriptEntry {
  const { agentId, agentType } = record(line.toolUseResult);
  const child = compact({ id: text(agentId), type: text(agentType) });
  return compact({
    ...common,
    kind: "tool_result" as const,
    tool: withPlainFailure(resultIn(block)),
    subagent: child.id === undefined ? undefined : child,
  });
}

/** What Claude Code's own tools object to is wrapped for the model; a person reads the words alone. */
function withPlainFailure(tool: ToolResult): ToolResult {
  if (tool.isError && REFUSED.test(textOf(tool.output) ?? "")) return { ...tool, refused: true };
  const [, said] = (tool.isError && FAILURE.exec(textOf(tool.output) ?? "")) || [];
  return said === undefined ? tool : { ...tool, about: said.trim() };
}

/** The user said no, or pressed Esc while it ran. */
const REFUSED =
  /^\s*(?:The user doesn't want to (?:proceed with|take) this|\[Request interrupted by user)/;
const FAILURE = /^\s*<tool_use_error>([\s\S]*?)<\/tool_use_error>\s*$/;

type ToolResult = ReturnType<typeof resultIn>;
