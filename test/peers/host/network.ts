import { onTestFinished } from "vitest";

export interface Call {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

type Reply = (call: Call) => Response | undefined;

/** Answers every request of the process in place of the network. What nobody answers, fails. */
export function pretendNetwork(reply: Reply): Call[] {
  const calls: Call[] = [];
  const real = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const call = { url: request.url, headers: request.headers, body: await request.text() };
    calls.push(call);
    const response = reply(call);
    if (!response) throw new Error(`Nobody answers ${call.url}`);
    return response;
  };
  onTestFinished(() => {
    globalThis.fetch = real;
  });
  return calls;
}

export function json(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } });
}

function events(list: readonly { type: string }[]): Response {
  const text = list.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

type Block = { text: string } | { name: string; input: object };

/** An answer as Anthropic streams it. */
export function anthropicAnswer(...blocks: Block[]): Response {
  const usage = { input_tokens: 1000, output_tokens: 10 };
  const stop_reason = blocks.some((block) => "name" in block) ? "tool_use" : "end_turn";
  const parts = blocks.flatMap((block, index) => [
    {
      type: "content_block_start",
      index,
      content_block:
        "name" in block
          ? { type: "tool_use", id: `toolu_${index}`, name: block.name, input: {} }
          : { type: "text", text: "" },
    },
    {
      type: "content_block_delta",
      index,
      delta:
        "name" in block
          ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
          : { type: "text_delta", text: block.text },
    },
    { type: "content_block_stop", index },
  ]);
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  return events([
    { type: "message_start", message } as { type: string },
    ...parts,
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage } as {
      type: string;
    },
    { type: "message_stop" },
  ]);
}

/** An answer as OpenAI's Responses API streams it. */
export function openaiAnswer(text: string): Response {
  const item = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    content: [],
    status: "in_progress",
  };
  const at = { item_id: "msg_1", output_index: 0, content_index: 0 };
  const response = { id: "resp_1", created_at: 1, model: "gpt" };
  const usage = { input_tokens: 10, output_tokens: 2, total_tokens: 12 };
  const list: { type: string; [field: string]: unknown }[] = [
    { type: "response.created", response },
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_text.delta", ...at, delta: text },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: {
        ...item,
        status: "completed",
        content: [{ type: "output_text", text, annotations: [] }],
      },
    },
    { type: "response.completed", response: { ...response, status: "completed", usage } },
  ];
  return events(list);
}
