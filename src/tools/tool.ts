import type { Static, TSchema } from "typebox";
import type { ImageContent, TextContent } from "../events/index.ts";

/** What a tool hands back. A failure is thrown; `isError` is for tools that report one themselves. */
export interface ToolResult<TDetails = unknown> {
  content: (TextContent | ImageContent)[];
  /** For logs and renderers; the model never sees it. */
  details?: TDetails;
  isError?: boolean;
  /** The result as a value, for programs. */
  structuredContent?: unknown;
  /** What the tool itself used of models. */
  usage?: unknown;
  /** Asks the agent to stop after this batch of calls. */
  terminate?: boolean;
}

/** Receives what a running tool has so far; each call replaces the one before. */
export type ToolUpdate<TDetails = unknown> = (partial: ToolResult<TDetails>) => void;

/**
 * A tool as a plain object, so that an extension can spread it and replace `execute`.
 *
 * @example
 * const read = createReadTool(process.cwd());
 * await read.execute("call-1", { path: "README.md" });
 */
export interface BuiltinTool<TParameters extends TSchema = TSchema, TDetails = unknown> {
  name: string;
  label: string;
  description: string;
  parameters: TParameters;
  /** One line for the list of tools in the system prompt. */
  promptSnippet?: string;
  promptGuidelines?: string[];
  /** Turns what the model sent into what the schema wants; throws when it cannot. */
  prepareArguments?: (args: unknown) => Static<TParameters>;
  executionMode?: "sequential" | "parallel";
  execute(
    toolCallId: string,
    params: Static<TParameters>,
    signal?: AbortSignal,
    onUpdate?: ToolUpdate<TDetails>,
    ctx?: unknown,
  ): Promise<ToolResult<TDetails>>;
}
