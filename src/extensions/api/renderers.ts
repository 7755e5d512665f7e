import type { CustomEntry, CustomMessage } from "../../events/index.ts";
import type { Component, Keybinding, Theme } from "../../terminal/index.ts";
import type { ToolDefinition } from "./tool-definition.ts";

/** The keys as the user has them, for hints on the screen. */
export interface KeybindingHints {
  /** The keys of a binding, such as `ctrl+o`. */
  keyText(keybinding: Keybinding): string;
  /** The keys of a binding and what they do. */
  keyHint(keybinding: Keybinding, description: string): string;
}

export interface MessageRenderOptions extends KeybindingHints {
  expanded: boolean;
  /** Columns that stay free at the left. */
  outputPad: number;
}

export interface EntryRenderOptions extends KeybindingHints {
  expanded: boolean;
}

/** Draws an extension's messages on a terminal. */
export type MessageRenderer<Details = unknown> = (
  message: CustomMessage<Details>,
  options: MessageRenderOptions,
  theme: Theme,
) => Component | undefined;

/** Draws what an extension keeps in the session, which the model never sees. */
export type EntryRenderer<Data = unknown> = (
  entry: CustomEntry<Data>,
  options: EntryRenderOptions,
  theme: Theme,
) => Component | undefined;

/** What is known about a text that is about to be drawn. */
export interface MarkdownTransformContext {
  messageType: "user" | "assistant" | "assistant-thinking";
  /** More of it is still to come. */
  isStreaming: boolean;
  availableWidth: number;
  /** The entry the text is stored in, once it is. */
  messageId?: string;
  /** When it was stored; ISO. */
  timestamp?: string;
}

/** Changes the Markdown of a message before it is drawn; what is stored stays as it is. */
export type MarkdownTransformer = (markdown: string, context: MarkdownTransformContext) => string;

/** How the calls of a tool are drawn. */
export type ToolRenderers = Pick<ToolDefinition, "renderShell" | "renderCall" | "renderResult">;

/** Chooses how a tool's calls are drawn. `next` is what would be chosen without this function. */
export type ToolRendererResolver = (
  toolName: string,
  next: () => ToolRenderers | undefined,
) => ToolRenderers | undefined;
