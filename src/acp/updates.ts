import { randomUUID } from "node:crypto";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentMessage, AssistantMessage, SeamEvent } from "../events/index.ts";
import { textOfContent } from "../events/index.ts";
import { isRecord } from "../values/index.ts";
import { shownCall, shownResult } from "./shown-call.ts";

interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What happens in one session, as a client is told of it. */
export class Updates {
  readonly #cwd: string;
  readonly #open = new Map<string, Call>();
  #messageId = randomUUID();
  /** Whether the message under way came in pieces: then its end repeats nothing. */
  #isStreamed = false;
  #cost = 0;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** The call under way that a question is about; the last one, if several are alike. */
  callLike(tool: string, input: object): Call | undefined {
    const wanted = JSON.stringify(input);
    return [...this.#open.values()]
      .reverse()
      .find((call) => call.tool === tool && JSON.stringify(call.input) === wanted);
  }

  /** What the client is told of an event; nothing for most. `contextWindow`: of the model at work. */
  of(event: SeamEvent, contextWindow: number | undefined): SessionUpdate[] {
    switch (event.type) {
      case "message_start":
        this.#messageId = randomUUID();
        this.#isStreamed = false;
        return [];
      case "message_update": {
        const { assistantMessageEvent: piece } = event;
        if (piece.type !== "text_delta" && piece.type !== "thinking_delta") return [];
        this.#isStreamed = true;
        return [this.#chunk(piece.type === "text_delta" ? "text" : "thinking", piece.delta)];
      }
      case "message_end":
        if (event.message.role !== "assistant") return [];
        return [
          ...(this.#isStreamed ? [] : this.#whole(event.message)),
          ...this.#use(event.message, contextWindow),
        ];
      case "tool_execution_start": {
        const input = isRecord(event.args) ? event.args : {};
        const call = { id: event.toolCallId, tool: event.toolName, input };
        this.#open.set(call.id, call);
        return [this.#begun(call, "in_progress")];
      }
      case "tool_execution_update":
        return [
          {
            sessionUpdate: "tool_call_update",
            toolCallId: event.toolCallId,
            content: shownResult(event.partialResult),
          },
        ];
      case "tool_execution_end": {
        const call = this.#open.get(event.toolCallId);
        this.#open.delete(event.toolCallId);
        return [this.#ended(event.toolCallId, event.result, event.isError, call)];
      }
      default:
        return [];
    }
  }

  /** A conversation from before, for a client that shows it again. */
  history(messages: readonly AgentMessage[]): SessionUpdate[] {
    const calls = new Map<string, Call>();
    return messages.flatMap((message): SessionUpdate[] => {
      this.#messageId = randomUUID();
      if (message.role === "user") {
        const text = textOfContent(message.content);
        return [
          {
            sessionUpdate: "user_message_chunk",
            content: { type: "text", text },
            messageId: this.#messageId,
          },
        ];
      }
      if (message.role === "toolResult") {
        const { toolCallId, isError } = message;
        return [this.#ended(toolCallId, message, isError, calls.get(toolCallId))];
      }
      if (message.role !== "assistant") return [];
      const begun = message.content.flatMap((block): SessionUpdate[] => {
        if (block.type !== "toolCall") return [];
        const call = { id: block.id, tool: block.name, input: block.arguments };
        calls.set(call.id, call);
        return [this.#begun(call, "pending")];
      });
      return [...this.#whole(message), ...begun];
    });
  }

  #whole({ content }: AssistantMessage): SessionUpdate[] {
    return content.flatMap((block) => {
      if (block.type === "text" && block.text !== "") return [this.#chunk("text", block.text)];
      if (block.type === "thinking" && block.thinking !== "") {
        return [this.#chunk("thinking", block.thinking)];
      }
      return [];
    });
  }

  #chunk(kind: "text" | "thinking", text: string): SessionUpdate {
    return {
      sessionUpdate: kind === "text" ? "agent_message_chunk" : "agent_thought_chunk",
      content: { type: "text", text },
      messageId: this.#messageId,
    };
  }

  #begun({ id, tool, input }: Call, status: "pending" | "in_progress"): SessionUpdate {
    return {
      sessionUpdate: "tool_call",
      toolCallId: id,
      name: tool,
      status,
      rawInput: input,
      ...shownCall(tool, input, this.#cwd),
    };
  }

  #ended(id: string, result: unknown, isError: boolean, call?: Call): SessionUpdate {
    const diffs = call ? shownCall(call.tool, call.input, this.#cwd).content : [];
    return {
      sessionUpdate: "tool_call_update",
      toolCallId: id,
      status: isError ? "failed" : "completed",
      // A file that was written has no old text any more: the client keeps the one it was shown.
      ...(diffs.length === 0 || isError ? { content: shownResult(result) } : {}),
      rawOutput: result,
    };
  }

  #use({ usage }: AssistantMessage, contextWindow: number | undefined): SessionUpdate[] {
    this.#cost += usage.cost.total;
    if (contextWindow === undefined || usage.totalTokens === 0) return [];
    const cost = this.#cost > 0 ? { cost: { amount: this.#cost, currency: "USD" } } : {};
    return [
      { sessionUpdate: "usage_update", used: usage.totalTokens, size: contextWindow, ...cost },
    ];
  }
}
