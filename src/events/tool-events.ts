import type { ToolCallEvent, ToolResultEvent } from "./contract.ts";

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

/** A `tool_call` event of one of these tools. */
export interface KnownToolCallEvent<Name extends keyof ToolInputs> extends ToolCallEvent {
  toolName: Name;
  input: ToolInputs[Name];
}

/** A `tool_result` event of one of these tools. */
export interface KnownToolResultEvent<Name extends keyof ToolInputs> extends ToolResultEvent {
  toolName: Name;
  input: ToolInputs[Name];
}

/** A result of the shell. */
export type BashToolResultEvent = KnownToolResultEvent<"bash">;
/** A result of reading a file. */
export type ReadToolResultEvent = KnownToolResultEvent<"read">;
/** A result of writing a file. */
export type WriteToolResultEvent = KnownToolResultEvent<"write">;
/** A result of changing a file. */
export type EditToolResultEvent = KnownToolResultEvent<"edit">;
/** A result of searching in files. */
export type GrepToolResultEvent = KnownToolResultEvent<"grep">;
/** A result of looking for files. */
export type FindToolResultEvent = KnownToolResultEvent<"find">;
/** A result of listing a folder. */
export type LsToolResultEvent = KnownToolResultEvent<"ls">;

/**
 * Narrows a tool call to one tool and the input it takes. For a tool of your own, say what its
 * input is: `isToolCallEventType<"greet", { name: string }>("greet", event)`.
 *
 * @example
 * pi.on("tool_call", (event) => {
 *   if (isToolCallEventType("bash", event)) console.error(event.input.command);
 * });
 */
export function isToolCallEventType<Name extends keyof ToolInputs>(
  toolName: Name,
  event: ToolCallEvent,
): event is KnownToolCallEvent<Name>;
export function isToolCallEventType<Name extends string, Input extends Record<string, unknown>>(
  toolName: Name,
  event: ToolCallEvent,
): event is ToolCallEvent & { toolName: Name; input: Input };
export function isToolCallEventType(toolName: string, event: ToolCallEvent): boolean {
  return event.toolName === toolName;
}

/**
 * Whether a result is the shell's; then `event.input.command` is what ran.
 *
 * @example
 * pi.on("tool_result", (event) => {
 *   if (isBashToolResult(event) && event.isError) pi.logger.warn(`It failed: ${event.input.command}`);
 * });
 */
export function isBashToolResult(event: ToolResultEvent): event is BashToolResultEvent {
  return event.toolName === "bash";
}

/**
 * Whether a result is that of reading a file; then `event.input.path` is the file.
 *
 * @example
 * pi.on("tool_result", (event) => {
 *   if (isReadToolResult(event)) pi.logger.info(`The model saw ${event.input.path}`);
 * });
 */
export function isReadToolResult(event: ToolResultEvent): event is ReadToolResultEvent {
  return event.toolName === "read";
}

/**
 * Whether a result is that of writing a file; then `event.input.path` is the file.
 *
 * @example
 * pi.on("tool_result", (event) => {
 *   if (isWriteToolResult(event) && !event.isError) pi.logger.info(`Written: ${event.input.path}`);
 * });
 */
export function isWriteToolResult(event: ToolResultEvent): event is WriteToolResultEvent {
  return event.toolName === "write";
}

/**
 * Whether a result is that of changing a file; then `event.input.path` is the file.
 *
 * @example
 * pi.on("tool_result", (event) => {
 *   if (isEditToolResult(event) && !event.isError) pi.logger.info(`Changed: ${event.input.path}`);
 * });
 */
export function isEditToolResult(event: ToolResultEvent): event is EditToolResultEvent {
  return event.toolName === "edit";
}

/**
 * Whether a result is that of searching in files; then `event.input.pattern` was looked for.
 *
 * @example
 * pi.on("tool_result", (event) => {
 *   if (isGrepToolResult(event)) pi.logger.info(`Searched for ${event.input.pattern}`);
 * });
 */
export function isGrepToolResult(event: ToolResultEvent): event is GrepToolResultEvent {
  return event.toolName === "grep";
}

/**
 * Whether a result is that of looking for files; then `event.input.pattern` was looked for.
 *
 * @example
 * pi.on("tool_result", (event) => {
 *   if (isFindToolResult(event)) pi.logger.info(`Looked for ${event.input.pattern}`);
 * });
 */
export function isFindToolResult(event: ToolResultEvent): event is FindToolResultEvent {
  return event.toolName === "find";
}

/**
 * Whether a result is that of listing a folder; then `event.input.path` is the folder.
 *
 * @example
 * pi.on("tool_result", (event) => {
 *   if (isLsToolResult(event)) pi.logger.info(`Listed ${event.input.path ?? "the folder"}`);
 * });
 */
export function isLsToolResult(event: ToolResultEvent): event is LsToolResultEvent {
  return event.toolName === "ls";
}
