import type { EventMap } from "./vocabulary.ts";

type ToolCallEvent = EventMap["tool_call"];
type ToolResultEvent = EventMap["tool_result"];

/** The inputs of the tools every coding agent has, after normalising. */
export interface ToolInputs {
  bash: { command: string; timeout?: number };
  read: { path: string; offset?: number; limit?: number };
  write: { path: string; content: string };
  edit: { path: string; edits?: { oldText: string; newText: string }[] };
  grep: { pattern: string; path?: string; glob?: string };
  find: { pattern: string; path?: string };
  ls: { path?: string };
}

/** Narrows a tool call to one tool and the input it takes. */
export function isToolCallEventType<Name extends keyof ToolInputs>(
  toolName: Name,
  event: ToolCallEvent,
): event is ToolCallEvent & { toolName: Name; input: ToolInputs[Name] };
export function isToolCallEventType<Name extends string, Input extends Record<string, unknown>>(
  toolName: Name,
  event: ToolCallEvent,
): event is ToolCallEvent & { toolName: Name; input: Input };
export function isToolCallEventType(toolName: string, event: ToolCallEvent): boolean {
  return event.toolName === toolName;
}

const isResultOf = (toolName: keyof ToolInputs) => (event: ToolResultEvent) =>
  event.toolName === toolName;

export const isBashToolResult = isResultOf("bash");
export const isReadToolResult = isResultOf("read");
export const isWriteToolResult = isResultOf("write");
export const isEditToolResult = isResultOf("edit");
export const isGrepToolResult = isResultOf("grep");
export const isFindToolResult = isResultOf("find");
export const isLsToolResult = isResultOf("ls");
