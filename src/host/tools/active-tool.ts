import type { TSchema } from "typebox";
import type { ToolExposure, ToolNamespace } from "../../extensions/index.ts";
import type { ToolResult, ToolUpdate } from "../../tools/index.ts";

/** A tool the model can call right now, wherever it comes from. */
export interface ActiveTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: TSchema;
  readonly executionMode: "sequential" | "parallel";
  readonly promptSnippet?: string | undefined;
  readonly promptGuidelines?: readonly string[] | undefined;
  readonly label: string;
  readonly exposure: ToolExposure;
  readonly namespace?: ToolNamespace | undefined;
  readonly constrainedSampling?: false | Readonly<Record<string, unknown>> | undefined;
  /** Active and callable, but the model is not told of it. */
  readonly isUndeclared?: boolean;
  /** Repairs raw arguments before they are checked. */
  prepare(args: Record<string, unknown>): Record<string, unknown>;
  execute(
    toolCallId: string,
    params: Record<string, unknown>,
    signal: AbortSignal,
    onUpdate: ToolUpdate,
  ): Promise<ToolResult>;
}
