import { newId } from "./ids.ts";
import { type Json, list, record, text } from "./json.ts";
import { type ToolCall, type Turn, usageOf } from "./script.ts";
import type { Asked, Heard, ServerEvent, Wire } from "./wire.ts";

/** OpenAI's responses. */
export const responses: Wire = {
  api: "responses",
  matches: (path) => path.endsWith("/responses"),

  read(_path, body) {
    const request = record(body);
    const input = request.input;
    return {
      model: text(request.model),
      stream: request.stream === true,
      heard: [
        { role: "system", text: text(request.instructions) },
        ...(typeof input === "string"
          ? [{ role: "user" as const, text: input }]
          : list(input).flatMap(heardIn)),
      ],
      tools: list(request.tools).flatMap(toolNames),
    };
  },

  answer: (turn, asked) => finished(turn, asked, items(turn)),

  events(turn, asked) {
    const output = items(turn);
    const response = finished(turn, asked, output);
    const events: Json[] = [
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    ];
    for (const [output_index, item] of output.entries()) {
      const item_id = item.id;
      events.push({ type: "response.output_item.added", output_index, item: begun(item) });
      if (item.type === "message") {
        const delta = turn.text;
        events.push({
          type: "response.output_text.delta",
          output_index,
          content_index: 0,
          item_id,
          delta,
        });
      }
      events.push({ type: "response.output_item.done", output_index, item });
    }
    events.push({ type: "response.completed", response });
    return events.map(
      (event, sequence_number): ServerEvent => ({
        event: text(event.type),
        data: { ...event, sequence_number },
      }),
    );
  },

  failure: (status, message) => ({ error: { message, type: "server_error", code: `${status}` } }),
};

function toolNames(value: unknown): string[] {
  const tool = record(value);
  const name = text(tool.name) || text(tool.type);
  const inside = list(tool.tools).map((each) => `${name}.${text(record(each).name)}`);
  return inside.length > 0 ? inside : [name];
}

function heardIn(value: unknown): Heard[] {
  const item = record(value);
  const type = text(item.type) || "message";
  if (type === "message") {
    const role = item.role;
    return list(item.content).map((part) => ({
      role: role === "assistant" || role === "user" ? role : "system",
      text: text(record(part).text),
    }));
  }
  if (type.endsWith("_output")) {
    return [{ role: "tool", text: outputText(item.output), callId: text(item.call_id) }];
  }
  if (type.endsWith("_call")) {
    return [{ role: "assistant", text: text(item.arguments) || text(item.input) }];
  }
  return [];
}

function outputText(output: unknown): string {
  if (typeof output === "string") return output;
  const parts = Array.isArray(output) ? output : list(record(output).content);
  if (parts.length === 0) return JSON.stringify(output) ?? "";
  return parts.map((part) => text(record(part).text)).join("\n");
}

function items(turn: Turn): Json[] {
  const made: Json[] = [];
  if (turn.thinking) {
    const summary = [{ type: "summary_text", text: turn.thinking }];
    made.push({ type: "reasoning", id: newId("rs"), summary, encrypted_content: null });
  }
  if (turn.text) {
    made.push({
      type: "message",
      id: newId("msg"),
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: turn.text, annotations: [] }],
    });
  }
  for (const call of turn.toolCalls ?? []) made.push(called(call));
  return made;
}

function called({ name, input, id, namespace }: ToolCall): Json {
  const call_id = id ?? newId("call");
  if (typeof input === "string") {
    const freeForm = { type: "custom_tool_call", id: newId("ctc"), call_id, name, input };
    return { ...freeForm, status: "completed" };
  }
  return {
    type: "function_call",
    id: newId("fc"),
    call_id,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: JSON.stringify(input),
    status: "completed",
  };
}

function begun(item: Json): Json {
  const open = { ...item, status: "in_progress" };
  if (item.type === "message") return { ...open, content: [] };
  return item.type === "function_call" ? { ...open, arguments: "" } : open;
}

function finished(turn: Turn, asked: Asked, output: readonly Json[]): Json {
  const { input, cached, cacheWrite, output: written, reasoning } = usageOf(turn);
  const input_tokens = input + cached + cacheWrite;
  const output_tokens = written + reasoning;
  return {
    id: newId("resp"),
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    model: asked.model,
    status: "completed",
    output,
    usage: {
      input_tokens,
      input_tokens_details: { cached_tokens: cached },
      output_tokens,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input_tokens + output_tokens,
    },
  };
}
