/** Blocks a message is made of. */

/** A text. */
export interface TextContent {
  type: "text";
  text: string;
  textSignature?: string;
}

/** An image. */
export interface ImageContent {
  type: "image";
  /** Base64. */
  data: string;
  mimeType: string;
}

/** What a model thought before it answered. */
export interface ThinkingContent {
  type: "thinking";
  thinking: string;
  /** Opaque; handed back to the provider as it came. */
  thinkingSignature?: string;
  redacted?: boolean;
}

/** A tool call that the model asks for. */
export interface ToolCall {
  type: "toolCall";
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  thoughtSignature?: string;
}

/** What a user message or a tool result may contain. */
export type UserContent = TextContent | ImageContent;
/** What an assistant message may contain. */
export type AssistantContent = TextContent | ThinkingContent | ToolCall;
