import type { Static, TSchema } from "typebox";
import type { Component, Theme } from "../../terminal/index.ts";
import type { ToolResult, ToolUpdate } from "../../tools/index.ts";
import type { ExtensionContext } from "./context.ts";

export interface ToolRenderResultOptions {
  expanded: boolean;
  /** The tool is still running. */
  isPartial: boolean;
}

/** What a tool's renderers may know about the call they draw. */
export interface ToolRenderContext<State = unknown, Args = unknown> {
  args: Args;
  toolCallId: string;
  invalidate: () => void;
  /** What the same renderer returned last time. */
  lastComponent: Component | undefined;
  /** Kept between renders of one call. */
  state: State;
  cwd: string;
  executionStarted: boolean;
  argsComplete: boolean;
  isPartial: boolean;
  expanded: boolean;
  showImages: boolean;
  isError: boolean;
}

/**
 * A tool the model can call.
 *
 * @example
 * pi.registerTool({
 *   name: "greet",
 *   label: "Greet",
 *   description: "Greets someone by name",
 *   parameters: Type.Object({ name: Type.String() }),
 *   async execute(_id, { name }) {
 *     return { content: [{ type: "text", text: `Hello, ${name}!` }] };
 *   },
 * });
 */
export interface ToolDefinition<
  Params extends TSchema = TSchema,
  Details = unknown,
  State = unknown,
> {
  name: string;
  /** For people. */
  label?: string;
  /** For the model. */
  description: string;
  parameters: Params;
  /** One line for the list of tools in the system prompt. */
  promptSnippet?: string;
  /** Bullets for the guidelines in the system prompt, while the tool is active. */
  promptGuidelines?: string[];
  renderShell?: "default" | "self";
  /** "sequential": never at the same time as another call. */
  executionMode?: "sequential" | "parallel";
  /** Repairs raw arguments before they are checked. */
  prepareArguments?: (args: unknown) => Static<Params>;
  execute(
    toolCallId: string,
    params: Static<Params>,
    signal: AbortSignal | undefined,
    onUpdate: ToolUpdate<Details> | undefined,
    ctx: ExtensionContext,
  ): Promise<ToolResult<Details>>;
  renderCall?(
    args: Static<Params>,
    theme: Theme,
    context: ToolRenderContext<State, Static<Params>>,
  ): Component;
  renderResult?(
    result: ToolResult<Details>,
    options: ToolRenderResultOptions,
    theme: Theme,
    context: ToolRenderContext<State, Static<Params>>,
  ): Component;
}

/**
 * Keeps the parameter types of a tool that is put into a variable first.
 *
 * @example
 * const add = defineTool({
 *   name: "add",
 *   label: "Add",
 *   description: "Adds two numbers.",
 *   parameters: Type.Object({ a: Type.Number(), b: Type.Number() }),
 *   async execute(_id, { a, b }) {
 *     return { content: [{ type: "text", text: String(a + b) }], details: undefined };
 *   },
 * });
 */
export function defineTool<Params extends TSchema, Details = unknown, State = unknown>(
  tool: ToolDefinition<Params, Details, State>,
): ToolDefinition<Params, Details, State> {
  return tool;
}

/** A tool as `getAllTools()` lists it. */
export interface ToolInfo {
  name: string;
  description: string;
  parameters: TSchema;
  sourceInfo: SourceInfo;
}

/** Where something came from. */
export interface SourceInfo {
  path: string;
  source: string;
  scope: "user" | "project" | "temporary";
  origin: "package" | "top-level";
  baseDir?: string;
}
