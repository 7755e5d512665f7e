/** Blocks a message is made of. */

export interface TextContent {
  type: "text";
  text: string;
  textSignature?: string;
}

export interface ImageContent {
  type: "image";
  /** Base64. */
  data: string;
  mimeType: string;
}

export interface ThinkingContent {
  type: "thinking";
  thinking: string;
  /** Opaque; handed back to the provider as it came. */
  thinkingSignature?: string;
  redacted?: boolean;
}

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
