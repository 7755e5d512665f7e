import { isRecord } from "../../values/index.ts";
import { filesOfPatch } from "../hooks/patch.ts";
import type { EntryTool, TranscriptEntry } from "../transcripts/entry.ts";
import { compact, type Json, list, parsed, record, text } from "../transcripts/json.ts";
import { readCall } from "../transcripts/read-call.ts";
import { textOf } from "../transcripts/text-blocks.ts";
import { promptIsAnswered } from "./event-line.ts";
import { tools } from "./tools.ts";

const SOURCE = { agent: "codex", tools } as const;
const FAILED =
  /^Exit code: (?!0\b)\d+|^apply_patch verification failed|blocked by PreToolUse hook|^Error:/;
/** What Codex puts before the output of a command. */
const COMMAND_HEAD = /^(?:Chunk ID|Exit code|Wall time)[\s\S]*?\nOutput:\n/;
const EXITED = /^Process exited with code (?!0\b)\d+$/m;

type Common = Pick<TranscriptEntry, "id" | "at">;

/** A part of the conversation with the model. What is said in the user's name is told elsewhere. */
export function itemOf(item: Json, common: Common, seen: Map<string, unknown>): TranscriptEntry[] {
  switch (item.type) {
    case "message":
      if (item.role !== "assistant") break;
      promptIsAnswered(seen);
      return [compact({ ...common, kind: "assistant" as const, text: textOf(item.content) })];
    case "reasoning": {
      const thinking = text(
        list(item.summary)
          .flatMap((part) => text(record(part).text) ?? [])
          .join("\n"),
      );
      return [compact({ ...common, kind: "other" as const, thinking })];
    }
    case "function_call":
      return [callOf(item, parsed(item.arguments) ?? item.arguments, common, seen)];
    case "custom_tool_call":
      return [callOf(item, item.input, common, seen)];
    case "local_shell_call":
      return [callOf({ ...item, name: "shell" }, item.action, common, seen)];
    case "function_call_output":
    case "custom_tool_call_output":
      return [resultOf(item, common)];
  }
  return [{ ...common, kind: "other" }];
}

function callOf(
  item: Json,
  input: unknown,
  common: Common,
  seen: Map<string, unknown>,
): TranscriptEntry {
  promptIsAnswered(seen);
  // Some tools have the name of their group before their own.
  const nativeName = text(item.name)?.split(".").at(-1) ?? "";
  const patch = patchOf(nativeName, input);
  const call = readCall(SOURCE, {
    nativeName,
    callId: text(item.call_id),
    input: patch === undefined || isRecord(input) ? input : { command: patch },
    at: common.at,
  });
  return { ...common, kind: "tool_call", ...call, tool: withPatched(call.tool, patch) };
}

/** The patch of a call: an input of its own, or a command that the shell would have got. */
function patchOf(nativeName: string, input: unknown): string | undefined {
  if (nativeName === "apply_patch" && typeof input === "string") return input;
  const { cmd, command, input: nested } = record(input);
  const words = list(command).filter((word) => typeof word === "string");
  const line = text(cmd) ?? text(command) ?? text(nested) ?? text(words.join(" "));
  return line !== undefined && /\bapply_patch\b|^\*\*\* Begin Patch/.test(line) ? line : undefined;
}

function withPatched(tool: EntryTool, patch: string | undefined): EntryTool {
  if (tool.files || patch === undefined) return tool;
  const files = filesOfPatch(patch).flatMap(({ input }) => text(input.path) ?? []);
  return files.length > 0 ? { ...tool, files: [...new Set(files)] } : tool;
}

function resultOf(item: Json, common: Common): TranscriptEntry {
  const { output } = item;
  const said = textOf(output) ?? text(record(output).content) ?? "";
  const { agent_id, metadata } = record(parsed(said));
  const { exit_code } = record(metadata);
  const [head = ""] = COMMAND_HEAD.exec(said) ?? [];
  const hasExited = typeof exit_code === "number" ? exit_code !== 0 : EXITED.test(head);
  const isError = FAILED.test(said) || hasExited;
  const about = head === "" ? undefined : text(said.slice(head.length));
  const child = text(agent_id);
  return compact({
    ...common,
    kind: "tool_result" as const,
    tool: compact({ name: "", nativeName: "", callId: text(item.call_id), output, about, isError }),
    subagent: child === undefined ? undefined : { id: child },
  });
}
