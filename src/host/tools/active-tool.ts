import type { TSchema } from "typebox";
import type { ToolResult, ToolUpdate } from "../../tools/index.ts";

/** A tool the model can call right now, wherever it comes from. */
export interface ActiveTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: TSchema;
  readonly executionMode: "sequential" | "parallel";
  readonly promptSnippet?: string | undefined;
  readonly promptGuidelines?: readonly string[] | undefined;
  /** Repairs raw arguments before they are checked. */
  prepare(args: Record<string, unknown>): Record<string, unknown>;
  execute(
    toolCallId: string,
    params: Record<string, unknown>,
    signal: AbortSignal,
    onUpdate: ToolUpdate,
  ): Promise<ToolResult>;
}
