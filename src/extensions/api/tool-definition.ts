import type { Static, TSchema } from "typebox";
import type { Component, Theme } from "../../terminal/index.ts";
import type { ToolResult, ToolUpdate } from "../../tools/index.ts";
import type { KeybindingHints } from "./renderers.ts";
import type { ExtensionToolContext } from "./tool-context.ts";
import type {
  ToolAnnotations,
  ToolExposure,
  ToolLoadout,
  ToolLoadoutChanges,
  ToolNamespace,
} from "./tool-exposure.ts";

export interface ToolRenderResultOptions {
  expanded: boolean;
  /** The tool is still running. */
  isPartial: boolean;
}

/** What a tool's renderers may know about the call they draw. */
export interface ToolRenderContext<State = unknown, Args = unknown> extends KeybindingHints {
  args: Args;
  toolCallId: string;
  invalidate: () => void;
  /** What the same renderer returned last time. */
  lastComponent: Component | undefined;
  /** What the renderer stores here stays between the renders of one call. */
  state: State;
  cwd: string;
  executionStarted: boolean;
  argsComplete: boolean;
  isPartial: boolean;
  expanded: boolean;
  showImages: boolean;
  isError: boolean;
  /** How long the tool ran, in milliseconds; undefined while it does. */
  durationMs: number | undefined;
  /** Columns that stay free at the left. */
  outputPad: number;
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
  /** Providers that can are asked to write only arguments that fit the schema. */
  constrainedSampling?: false | Record<string, unknown>;
  /** The schema of `structuredContent` in results that succeeded. */
  outputSchema?: TSchema;
  /** How the model reaches the tool; `direct` if it is left out. */
  exposure?: ToolExposure;
  /** The group it belongs to, such as the server it comes from. */
  namespace?: ToolNamespace;
  /** Which tools a call of this one may reach: all, or those that these words name. */
  reachesTools?: (input: Record<string, unknown>) => "all" | readonly string[];
  /** What the author says of it; nobody checks it. */
  annotations?: ToolAnnotations;
  /** False: it is offered only once it was activated by name. */
  defaultActive?: boolean;
  /** Changes how the active tools are described to the model, while this one is active. */
  prepareLoadout?: (loadout: ToolLoadout) => ToolLoadoutChanges | undefined;
  /** Repairs raw arguments before they are checked. */
  prepareArguments?: (args: unknown) => Static<Params>;
  execute(
    toolCallId: string,
    params: Static<Params>,
    signal: AbortSignal | undefined,
    onUpdate: ToolUpdate<Details> | undefined,
    ctx: ExtensionToolContext,
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
  promptGuidelines?: string[];
  exposure: ToolExposure;
  namespace?: ToolNamespace;
  annotations?: ToolAnnotations;
  reachesTools?: ToolDefinition["reachesTools"];
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
