import { newId } from "./ids.ts";
import { type Json, list, record, text } from "./json.ts";
import { type Turn, usageOf } from "./script.ts";
import type { Asked, Heard, Wire } from "./wire.ts";

/** OpenAI's chat completions, as many other providers speak it too. */
export const chat: Wire = {
  api: "chat",
  matches: (path) => path.endsWith("/chat/completions"),

  read(_path, body) {
    const request = record(body);
    return {
      model: text(request.model),
      stream: request.stream === true,
      heard: list(request.messages).flatMap(heardIn),
      tools: list(request.tools).map((tool) => text(record(record(tool).function).name)),
    };
  },

  answer: (turn, asked) => ({
    ...frame(asked, "chat.completion"),
    choices: [
      { index: 0, message: { role: "assistant", ...said(turn) }, finish_reason: end(turn) },
    ],
    usage: usage(turn),
  }),

  events(turn, asked) {
    const base = frame(asked, "chat.completion.chunk");
    const chunk = (delta: Json, finish_reason: string | null = null) => ({
      data: { ...base, choices: [{ index: 0, delta, finish_reason }] },
    });
    const { content, reasoning_content, tool_calls } = said(turn);
    return [
      chunk({ role: "assistant", content: "" }),
      ...(reasoning_content ? [chunk({ reasoning_content })] : []),
      ...(content ? [chunk({ content })] : []),
      ...list(tool_calls).map((call, index) => chunk({ tool_calls: [{ index, ...record(call) }] })),
      chunk({}, end(turn)),
      { data: { ...base, choices: [], usage: usage(turn) } },
      { data: "[DONE]" },
    ];
  },

  failure: (status, message) => ({ error: { message, type: "server_error", code: `${status}` } }),
};

function heardIn(value: unknown): Heard[] {
  const { role, content, tool_call_id, tool_calls } = record(value);
  const words = plain(content);
  if (role === "tool") return [{ role, text: words, callId: text(tool_call_id) }];
  if (role === "assistant") {
    const calls = list(tool_calls).map((call) => record(record(call).function).arguments);
    return [words, ...calls.map(text)].filter(Boolean).map((each) => ({ role, text: each }));
  }
  return [{ role: role === "user" ? "user" : "system", text: words }];
}

function plain(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => text(record(part).text))
    .join("\n");
}

function said(turn: Turn): Json {
  const calls = turn.toolCalls?.map(({ name, input, id }) => ({
    id: id ?? newId("call"),
    type: "function",
    function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
  }));
  return {
    content: turn.text ?? (calls ? null : ""),
    ...(turn.thinking ? { reasoning_content: turn.thinking } : {}),
    ...(calls?.length ? { tool_calls: calls } : {}),
  };
}

function frame(asked: Asked, object: string): Json {
  return { id: newId("chatcmpl"), object, created: nowInSeconds(), model: asked.model };
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function end(turn: Turn): string {
  return turn.toolCalls?.length ? "tool_calls" : "stop";
}

function usage(turn: Turn): Json {
  const { input, cached, cacheWrite, output, reasoning } = usageOf(turn);
  const prompt_tokens = input + cached + cacheWrite;
  const completion_tokens = output + reasoning;
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
