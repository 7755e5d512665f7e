import type { ContextUsage } from "../extensions/index.ts";
import type { SessionTree } from "./session/index.ts";

/** How much was said in a session, and what it cost. */
export function sessionStats(session: SessionTree, contextUsage?: ContextUsage) {
  const messages = session
    .getEntries()
    .flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
  const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  let cost = 0;
  let toolCalls = 0;
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    const { input, output, cacheRead, cacheWrite } = message.usage;
    tokens.input += input;
    tokens.output += output;
    tokens.cacheRead += cacheRead;
    tokens.cacheWrite += cacheWrite;
    cost += message.usage.cost.total;
    toolCalls += message.content.filter(({ type }) => type === "toolCall").length;
  }
  tokens.total = tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
  const count = (role: string) => messages.filter((message) => message.role === role).length;
  return {
    sessionFile: session.getSessionFile(),
    sessionId: session.getSessionId(),
    userMessages: count("user"),
    assistantMessages: count("assistant"),
    toolCalls,
    toolResults: count("toolResult"),
    totalMessages: messages.length,
    tokens,
    cost,
    ...(contextUsage && { contextUsage }),
  };
}
