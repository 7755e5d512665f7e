import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import type { AssistantMessage, Message, Model } from "../../src/events/index.ts";
import type { Models } from "../../src/host/models/index.ts";
import type { BuiltinTool } from "../../src/tools/index.ts";

export interface BareLoop {
  readonly models: Models;
  readonly model: Model;
  readonly tools: readonly BuiltinTool[];
  /** The session file, open for writing. */
  readonly fd: number;
  readonly signal: AbortSignal;
}

/**
 * The least an agent has to do: ask, read the answer as it comes, run the tools, keep everything
 * in memory and in a file that can be read as a session. No events and no checks.
 */
export async function bareLoop(loop: BareLoop, prompt: string): Promise<Message[]> {
  const messages: Message[] = [];
  let parentId: string | null = null;
  const add = (message: Message) => {
    const id = randomUUID().slice(0, 8);
    const timestamp = new Date().toISOString();
    const entry = { type: "message", id, parentId, timestamp, message };
    writeSync(loop.fd, `${JSON.stringify(entry)}\n`);
    messages.push(message);
    parentId = id;
  };
  add({ role: "user", content: prompt, timestamp: Date.now() });
  for (;;) {
    const answer = await ask(loop, messages);
    add(answer);
    const calls = answer.content.filter((block) => block.type === "toolCall");
    if (calls.length === 0) return messages;
    for (const { id: toolCallId, name: toolName, arguments: args } of calls) {
      const tool = loop.tools.find(({ name }) => name === toolName);
      if (!tool) throw new Error(`There is no tool ${toolName}.`);
      const {
        content,
        details,
        isError = false,
      } = await tool.execute(toolCallId, args, loop.signal);
      const timestamp = Date.now();
      add({ role: "toolResult", toolCallId, toolName, content, details, isError, timestamp });
    }
  }
}

async function ask(
  { models, model, tools, signal }: BareLoop,
  messages: Message[],
): Promise<AssistantMessage> {
  const systemPrompt = "You are an agent.";
  const offered = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }));
  const request = { systemPrompt, messages, tools: offered };
  for await (const step of models.stream(model, request, { signal })) {
    if (step.type === "done") return step.message;
    if (step.type === "error") throw new Error(step.error.errorMessage);
  }
  throw new Error("The answer did not end.");
}
