import type { ToolCall } from "../../events/index.ts";
import type { ToolResult, ToolUpdate } from "../../tools/index.ts";
import type { ExtensionContext } from "./context.ts";
import type { CallableTool } from "./tool-exposure.ts";

/** How another tool is called. */
export interface ExecuteToolOptions {
  /** The one of the calling tool if it is left out. */
  signal?: AbortSignal;
  /** Is called with the progress. */
  onUpdate?: ToolUpdate;
}

/** What became of a call that a tool made. */
export interface ToolCallOutcome {
  toolCall: ToolCall;
  result: ToolResult;
  isError: boolean;
  /** How long the tool ran, in milliseconds; absent if it did not. */
  durationMs?: number;
}

/** What a tool can reach while it runs: it may call others. */
export interface ExtensionToolContext extends ExtensionContext {
  /** The tools that `executeTool` can call. */
  readonly tools: readonly CallableTool[];
  /**
   * Calls another tool. Gates and events are those of a call of the model's, with
   * `parentToolCallId`. Never rejects: what went wrong is a result with `isError`.
   */
  executeTool(name: string, args: unknown, options?: ExecuteToolOptions): Promise<ToolCallOutcome>;
}
