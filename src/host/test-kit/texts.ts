import type { AgentMessage, ToolResultMessage } from "../../events/index.ts";
import type { EmbeddedAgent } from "../embedded-agent.ts";

/** A message's text. */
export function textOf(message: AgentMessage | undefined): string {
  if (!message || !("content" in message)) return "";
  if (typeof message.content === "string") return message.content;
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

export const textsOf = (messages: readonly AgentMessage[] = []) => messages.map(textOf);

/** The messages of a session in order, also those a model is not sent. */
export function storedMessages(agent: EmbeddedAgent): AgentMessage[] {
  return agent.session
    .getEntries()
    .flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
}

export function storedResults(agent: EmbeddedAgent): ToolResultMessage[] {
  return storedMessages(agent).filter((message) => message.role === "toolResult");
}

export const resultTexts = (agent: EmbeddedAgent) => textsOf(storedResults(agent));

/** Ids of stored tool calls that have no result. */
export function unansweredCalls(agent: EmbeddedAgent): string[] {
  const answered = new Set(storedResults(agent).map(({ toolCallId }) => toolCallId));
  return storedMessages(agent)
    .flatMap((message) => (message.role === "assistant" ? message.content : []))
    .flatMap((block) => (block.type === "toolCall" ? [block.id] : []))
    .filter((id) => !answered.has(id));
}
