import type { TSchema } from "typebox";

/**
 * How the model reaches a tool. `direct`: it is offered while active, and other tools can call it.
 * `model-only`: it is offered, and other tools cannot call it. `codemode`, `deferred`: other tools can
 * call it; it is offered once it was activated by name. `hidden`: nobody reaches it.
 */
export type ToolExposure = "direct" | "model-only" | "codemode" | "deferred" | "hidden";

/** What a tool does, in MCP's words. */
export interface ToolAnnotations {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** A group of tools. */
export interface ToolNamespace {
  name: string;
  aliases?: readonly string[];
  description?: string;
  instructions?: string;
}

/** A tool as other tools see it. */
export interface CallableTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: TSchema;
}

/** The tools of the session, for whoever describes them to the model. */
export interface ToolLoadout {
  /** Those the model is offered. */
  readonly declared: readonly CallableTool[];
  /** Those that other tools can call. */
  readonly callable: readonly CallableTool[];
  readonly registered: readonly CallableTool[];
  getExposure(name: string): ToolExposure;
  getNamespace(name: string): ToolNamespace | undefined;
  getPromptGuidelines(name: string): readonly string[];
}

export interface ToolLoadoutChanges {
  /** Other descriptions, by the name of the tool. */
  descriptions?: Readonly<Record<string, string>>;
  /** Tools that stay active and callable while the model is not told of them. */
  hiddenDeclarations?: readonly string[];
}
