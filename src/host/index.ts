export type { Agent } from "./agent.ts";
export { type AgentOptions, createAgent } from "./create-agent.ts";
export type { PromptOptions } from "./prompt-input.ts";
export type { MessageQueue, QueuedMessage, QueueKind } from "./queue.ts";
export { SessionTree } from "./session/index.ts";
