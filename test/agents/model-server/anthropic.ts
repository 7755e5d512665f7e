import { newId } from "./ids.ts";
import { type Json, list, record, text } from "./json.ts";
import { type Turn, usageOf } from "./script.ts";
import type { Asked, Heard, ServerEvent, Wire } from "./wire.ts";

export const anthropic: Wire = {
  api: "anthropic",
  matches: (path) => path.endsWith("/messages"),

  read(_path, body) {
    const request = record(body);
    return {
      model: text(request.model),
      stream: request.stream === true,
      heard: [
        ...blocks(request.system).map(
          (block): Heard => ({
            role: "system",
            text: text(block.text),
          }),
        ),
        ...list(request.messages).flatMap(heardIn),
      ],
      tools: list(request.tools).map((tool) => text(record(tool).name)),
    };
  },

  answer: (turn, asked) => message(turn, asked, content(turn)),

  events(turn, asked) {
    const events: unknown[] = [{ type: "message_start", message: message(turn, asked, []) }];
    for (const [index, block] of content(turn).entries()) {
      events.push(...streamed(index, block));
    }
    events.push(
      {
        type: "message_delta",
        delta: { stop_reason: stopReason(turn), stop_sequence: null },
        usage: usage(turn),
      },
      { type: "message_stop" },
    );
    return events.map((data): ServerEvent => ({ event: text(record(data).type), data }));
  },

  failure: (status, reason) => ({
    type: "error",
    error: { type: status === 429 ? "rate_limit_error" : "api_error", message: reason },
  }),
};

function blocks(value: unknown): readonly Json[] {
  return typeof value === "string" ? [{ type: "text", text: value }] : list(value).map(record);
}

function heardIn(value: unknown): Heard[] {
  const { role, content: said } = record(value);
  return blocks(said).flatMap((block): Heard[] => {
    switch (block.type) {
      case "text":
        return [{ role: role === "assistant" ? "assistant" : "user", text: text(block.text) }];
      case "tool_use":
        return [{ role: "assistant", text: JSON.stringify(block.input) }];
      case "tool_result":
        return [
          {
            role: "tool",
            text: blocks(block.content)
              .map((part) => text(part.text))
              .join("\n"),
            callId: text(block.tool_use_id),
            isError: block.is_error === true,
          },
        ];
      default:
        return [];
    }
  });
}

function content(turn: Turn): Json[] {
  const made: Json[] = [];
  if (turn.thinking) made.push({ type: "thinking", thinking: turn.thinking, signature: "signed" });
  if (turn.text) made.push({ type: "text", text: turn.text });
  for (const { name, input, id } of turn.toolCalls ?? []) {
    made.push({ type: "tool_use", id: id ?? newId("toolu"), name, input });
  }
  return made;
}

function message(turn: Turn, asked: Asked, parts: readonly Json[]): Json {
  return {
    id: newId("msg"),
    type: "message",
    role: "assistant",
    model: asked.model,
    content: parts,
    stop_reason: parts.length > 0 ? stopReason(turn) : null,
    stop_sequence: null,
    usage: usage(turn),
  };
}

function streamed(index: number, block: Json): unknown[] {
  const { type } = block;
  const start = (content_block: Json) => ({ type: "content_block_start", index, content_block });
  const delta = (change: Json) => ({ type: "content_block_delta", index, delta: change });
  const stop = { type: "content_block_stop", index };
  if (type === "tool_use") {
    const partial_json = JSON.stringify(block.input);
    return [
      start({ ...block, input: {} }),
      delta({ type: "input_json_delta", partial_json }),
      stop,
    ];
  }
  if (type === "thinking") {
    return [
      start({ type, thinking: "", signature: "" }),
      delta({ type: "thinking_delta", thinking: block.thinking }),
      delta({ type: "signature_delta", signature: block.signature }),
      stop,
    ];
  }
  return [start({ type, text: "" }), delta({ type: "text_delta", text: block.text }), stop];
}

function stopReason(turn: Turn): string {
  return turn.toolCalls?.length ? "tool_use" : "end_turn";
}

function usage(turn: Turn): Json {
  const tokens = usageOf(turn);
  return {
    input_tokens: tokens.input,
    cache_read_input_tokens: tokens.cached,
    cache_creation_input_tokens: tokens.cacheWrite,
    output_tokens: tokens.output + tokens.reasoning,
  };
}
