import type { AgentMessage, ImageContent, Model, ThinkingLevel } from "../../../events/index.ts";
import {
  type AgentContext,
  type AgentEvent,
  type AgentLoopConfig,
  runAgentLoop,
  runAgentLoopContinue,
  type StreamFn,
} from "./agent-loop.ts";
import type { AgentTool } from "./run-tool-call.ts";

type QueueMode = "all" | "one-at-a-time";

export interface AgentOptions
  extends Omit<AgentLoopConfig, "model" | "getSteeringMessages" | "getFollowUpMessages"> {
  readonly initialState?: {
    systemPrompt?: string;
    model?: Model;
    thinkingLevel?: ThinkingLevel;
    tools?: AgentTool[];
    messages?: AgentMessage[];
  };
  readonly streamFn?: StreamFn;
  readonly steeringMode?: QueueMode;
  readonly followUpMode?: QueueMode;
}

interface AgentState {
  systemPrompt: string;
  model: Model | undefined;
  thinkingLevel: ThinkingLevel;
  tools: AgentTool[];
  messages: AgentMessage[];
  isStreaming: boolean;
  streamingMessage: AgentMessage | undefined;
  pendingToolCalls: Set<string>;
  errorMessage: string | undefined;
}

/** Makes the class whose agents ask the models of a host unless they are given others. */
export function agentClass(defaultStream: StreamFn): object {
  let standard = defaultStream;

  /** A conversation with a model and its tools, and nothing else: no session, no extensions. */
  class Agent {
    readonly #options: AgentOptions;
    readonly #listeners = new Set<(event: AgentEvent, signal: AbortSignal) => unknown>();
    readonly #queues: Record<"steer" | "followUp", AgentMessage[]> = { steer: [], followUp: [] };
    readonly state: AgentState;
    streamFn: StreamFn;
    sessionId: string | undefined;
    steeringMode: QueueMode;
    followUpMode: QueueMode;
    #controller: AbortController | undefined;
    #idle: Promise<void> = Promise.resolve();

    constructor(options: AgentOptions = {}) {
      this.#options = options;
      const { initialState = {}, streamFn, sessionId, steeringMode, followUpMode } = options;
      this.streamFn = streamFn ?? ((...args) => standard(...args));
      this.sessionId = typeof sessionId === "string" ? sessionId : undefined;
      this.steeringMode = steeringMode ?? "one-at-a-time";
      this.followUpMode = followUpMode ?? "one-at-a-time";
      this.state = {
        systemPrompt: initialState.systemPrompt ?? "",
        model: initialState.model,
        thinkingLevel: initialState.thinkingLevel ?? "off",
        tools: [...(initialState.tools ?? [])],
        messages: [...(initialState.messages ?? [])],
        isStreaming: false,
        streamingMessage: undefined,
        pendingToolCalls: new Set(),
        errorMessage: undefined,
      };
    }

    get signal(): AbortSignal | undefined {
      return this.#controller?.signal;
    }
    /** Listeners are waited for. */
    subscribe(listener: (event: AgentEvent, signal: AbortSignal) => unknown): () => void {
      this.#listeners.add(listener);
      return () => void this.#listeners.delete(listener);
    }
    steer = (message: AgentMessage) => void this.#queues.steer.push(message);
    followUp = (message: AgentMessage) => void this.#queues.followUp.push(message);
    clearSteeringQueue = () => void this.#queues.steer.splice(0);
    clearFollowUpQueue = () => void this.#queues.followUp.splice(0);
    clearAllQueues(): void {
      this.clearSteeringQueue();
      this.clearFollowUpQueue();
    }
    hasQueuedMessages = () => this.peekQueuedMessages().length > 0;
    peekQueuedMessages = () => [...this.#queues.steer, ...this.#queues.followUp];
    abort = () => this.#controller?.abort();
    waitForIdle = () => this.#idle;
    reset(): void {
      this.state.messages = [];
      this.state.errorMessage = undefined;
      this.clearAllQueues();
    }
    setSystemPrompt(prompt: string): void {
      this.state.systemPrompt = prompt;
    }
    setModel(model: Model): void {
      this.state.model = model;
    }
    setThinkingLevel(level: ThinkingLevel): void {
      this.state.thinkingLevel = level;
    }
    setTools(tools: AgentTool[]): void {
      this.state.tools = tools;
    }
    replaceMessages(messages: AgentMessage[]): void {
      this.state.messages = [...messages];
    }
    appendMessage(message: AgentMessage): void {
      this.state.messages = [...this.state.messages, message];
    }

    prompt(
      input: string | AgentMessage | AgentMessage[],
      images: ImageContent[] = [],
    ): Promise<void> {
      const given = typeof input === "string" ? userMessage(input, images) : input;
      const prompts = Array.isArray(given) ? given : [given];
      return this.#run((context, config, emit, signal) =>
        runAgentLoop(prompts, context, config, emit, signal, this.streamFn),
      );
    }

    continue(): Promise<void> {
      return this.#run((context, config, emit, signal) =>
        runAgentLoopContinue(context, config, emit, signal, this.streamFn),
      );
    }

    async #run(
      loop: (
        context: AgentContext,
        config: AgentLoopConfig,
        emit: (event: AgentEvent) => Promise<void>,
        signal: AbortSignal,
      ) => Promise<AgentMessage[]>,
    ): Promise<void> {
      const { state } = this;
      if (state.isStreaming)
        throw new Error("The agent works already. Use steer() or followUp(), or wait for it.");
      const { model } = state;
      if (!model) throw new Error("The agent has no model.");
      const controller = new AbortController();
      this.#controller = controller;
      state.isStreaming = true;
      state.errorMessage = undefined;
      let finish = () => {};
      this.#idle = new Promise((resolve) => {
        finish = resolve;
      });
      try {
        const { systemPrompt, tools, messages } = state;
        const emit = (event: AgentEvent) => this.#take(event, controller.signal);
        await loop({ systemPrompt, tools, messages }, this.#config(model), emit, controller.signal);
      } finally {
        state.isStreaming = false;
        state.streamingMessage = undefined;
        this.#controller = undefined;
        finish();
      }
    }

    #config(model: Model): AgentLoopConfig {
      const {
        initialState: _,
        streamFn: __,
        steeringMode: ___,
        followUpMode: ____,
        ...config
      } = this.#options;
      return {
        ...config,
        model,
        reasoning: this.state.thinkingLevel,
        ...(this.sessionId !== undefined && { sessionId: this.sessionId }),
        getSteeringMessages: async () => this.#taken("steer", this.steeringMode),
        getFollowUpMessages: async () => this.#taken("followUp", this.followUpMode),
      };
    }

    #taken(kind: "steer" | "followUp", mode: QueueMode): AgentMessage[] {
      return this.#queues[kind].splice(0, mode === "all" ? Number.POSITIVE_INFINITY : 1);
    }

    async #take(event: AgentEvent, signal: AbortSignal): Promise<void> {
      const { state } = this;
      const { type, message, toolCallId } = event;
      if (type === "message_end" && isMessage(message)) {
        state.messages = [...state.messages, message];
        state.streamingMessage = undefined;
        if ("errorMessage" in message && message.errorMessage)
          state.errorMessage = message.errorMessage;
      } else if ((type === "message_start" || type === "message_update") && isMessage(message)) {
        state.streamingMessage = message;
      } else if (type === "tool_execution_start") state.pendingToolCalls.add(String(toolCallId));
      else if (type === "tool_execution_end") state.pendingToolCalls.delete(String(toolCallId));
      for (const listener of this.#listeners) await listener(event, signal);
    }
  }

  const setDefaultStreamFn = (streamFn: StreamFn) => {
    standard = streamFn;
  };
  return { Agent, setDefaultStreamFn };
}

function userMessage(text: string, images: ImageContent[]): AgentMessage {
  return { role: "user", content: [{ type: "text", text }, ...images], timestamp: Date.now() };
}

function isMessage(value: unknown): value is AgentMessage {
  return typeof value === "object" && value !== null && "role" in value;
}
