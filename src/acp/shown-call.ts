import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { textOfContent } from "../events/index.ts";
import { isRecord } from "../values/index.ts";

type Input = Readonly<Record<string, unknown>>;

/** What a client shows of a tool call: enough to decide on it without opening anything else. */
export interface ShownCall {
  readonly title: string;
  readonly kind: ToolKind;
  readonly locations: ToolCallLocation[];
  readonly content: ToolCallContent[];
}

/** The kind of work each built-in tool does; what is not here is `other`. */
const KINDS: Readonly<Record<string, ToolKind>> = {
  bash: "execute",
  read: "read",
  ls: "read",
  write: "edit",
  edit: "edit",
  grep: "search",
  find: "search",
  todo: "think",
};

/** A file that is about to be replaced is shown up to this size. */
const LARGEST_SHOWN = 256 * 1024;
/** A result is shown up to this length; the session has all of it. */
const LONGEST_RESULT = 30_000;

/** `cwd`: what paths in the input are relative to. */
export function shownCall(tool: string, input: Input, cwd: string): ShownCall {
  const path = typeof input.path === "string" ? input.path : undefined;
  const full = path === undefined ? undefined : resolve(cwd, path);
  return {
    title: titleOf(tool, input),
    kind: KINDS[tool] ?? "other",
    locations: full === undefined ? [] : [{ path: full, ...lineOf(input) }],
    content: full === undefined ? [] : changesOf(tool, input, full),
  };
}

/** What a tool gave back, as text the client can show. */
export function shownResult(result: unknown): ToolCallContent[] {
  const content = isRecord(result) ? result.content : result;
  const text =
    typeof content === "string" || Array.isArray(content)
      ? textOfContent(content)
      : JSON.stringify(content ?? "");
  if (text === "") return [];
  const cut =
    text.length > LONGEST_RESULT
      ? `${text.slice(0, LONGEST_RESULT)}\n… ${text.length - LONGEST_RESULT} more characters`
      : text;
  return [{ type: "content", content: { type: "text", text: cut } }];
}

function titleOf(tool: string, input: Input): string {
  const about = input.command ?? input.path ?? input.pattern ?? input.query;
  return typeof about === "string" ? `${tool} ${about}` : tool;
}

function lineOf({ offset }: Input): { line?: number } {
  return typeof offset === "number" ? { line: offset } : {};
}

function changesOf(tool: string, input: Input, path: string): ToolCallContent[] {
  if (tool === "write" && typeof input.content === "string") {
    return [{ type: "diff", path, oldText: textAt(path), newText: input.content }];
  }
  if (tool !== "edit" || !Array.isArray(input.edits)) return [];
  return input.edits.flatMap((edit: unknown): ToolCallContent[] => {
    if (!isRecord(edit)) return [];
    const { oldText, newText } = edit;
    if (typeof oldText !== "string" || typeof newText !== "string") return [];
    return [{ type: "diff", path, oldText, newText }];
  });
}

/** Null if there is no such file: then it is a new one. */
function textAt(path: string): string | null {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > LARGEST_SHOWN) return null;
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
