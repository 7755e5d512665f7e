import {
  type AgentMessage,
  type Model,
  type ThinkingLevel,
  textOfContent,
} from "../../../events/index.ts";
import type { SessionParts } from "./agent-session.ts";

/** What Pi calls the agent of a session: its state, and what can be done with it. */
export class AgentFace {
  readonly #parts: SessionParts;
  readonly sessionId: string;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.sessionId = parts.agent.session.getSessionId();
  }

  get state() {
    const { agent, inside } = this.#parts;
    const active = new Set(inside.pi.getActiveTools());
    return {
      systemPrompt: inside.ctx.getSystemPrompt(),
      model: agent.model,
      thinkingLevel: agent.thinkingLevel,
      tools: inside.pi.getAllTools().filter(({ name }) => active.has(name)),
      messages: agent.session.buildContext().messages,
      isStreaming: !agent.isIdle,
      streamMessage: null,
      pendingToolCalls: new Set<string>(),
      errorMessage: agent.lastError === undefined ? undefined : String(agent.lastError),
    };
  }
  get signal(): AbortSignal | undefined {
    return this.#parts.inside.ctx.signal;
  }

  subscribe = (listener: (event: { type: string }) => void) =>
    this.#parts.agent.subscribe((event) => listener(event));
  abort = () => void this.#parts.agent.abort();
  waitForIdle = () => this.#parts.agent.waitForIdle();
  hasQueuedMessages = () => this.#parts.agent.queue.pending > 0;
  clearAllQueues = () => this.#parts.agent.queue.clear();
  setModel = (model: Model) => void this.#parts.agent.setModel(model);
  setThinkingLevel = (level: ThinkingLevel) => void this.#parts.agent.setThinkingLevel(level);
  prompt = (input: string | AgentMessage | AgentMessage[]) =>
    this.#parts.agent.prompt(textOf(input));
  steer = (message: AgentMessage) => void this.#parts.agent.steer(textOf(message));
  followUp = (message: AgentMessage) => void this.#parts.agent.followUp(textOf(message));
}

function textOf(input: string | AgentMessage | AgentMessage[]): string {
  if (typeof input === "string") return input;
  if (Array.isArray(input)) return input.map(textOf).join("\n\n");
  return "content" in input ? textOfContent(input.content) : "";
}
