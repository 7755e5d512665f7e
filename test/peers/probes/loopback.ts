import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Request {
  readonly key: string;
  readonly body: unknown;
}

/** A server of a model on this machine that answers each request with this stream. */
export async function answering<T>(
  events: readonly object[],
  ask: (url: string, requests: Request[]) => Promise<T>,
): Promise<T> {
  const requests: Request[] = [];
  const server = createServer((request, answer) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      const { authorization, "x-api-key": key, "x-goog-api-key": google } = request.headers;
      const given = [authorization, key, google].find((one) => one !== undefined);
      requests.push({
        key: String(given).replace("Bearer ", ""),
        body: JSON.parse(body || "null"),
      });
      answer.setHeader("content-type", "text/event-stream");
      for (const event of events) {
        const type = "type" in event ? `event: ${String(event.type)}\n` : "";
        answer.write(`${type}data: ${JSON.stringify(event)}\n\n`);
      }
      const isChat = "object" in (events[0] ?? {});
      answer.end(isChat ? "data: [DONE]\n\n" : "");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    return await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const usage = { input_tokens: 7, output_tokens: 2 };

/** "Hi." as each of the apis streams it. */
export const STREAMS = {
  "anthropic-messages": [
    {
      type: "message_start",
      message: { id: "m1", type: "message", role: "assistant", content: [], model: "m", usage },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi." } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ],
  "openai-completions": [
    {
      id: "c",
      object: "chat.completion.chunk",
      model: "m",
      choices: [{ index: 0, delta: { role: "assistant", content: "Hi." }, finish_reason: null }],
    },
    {
      id: "c",
      object: "chat.completion.chunk",
      model: "m",
      choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
    },
    {
      id: "c",
      object: "chat.completion.chunk",
      model: "m",
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
    },
  ],
  "openai-responses": [
    {
      type: "response.created",
      sequence_number: 0,
      response: {
        id: "r",
        object: "response",
        created_at: 1,
        model: "m",
        status: "in_progress",
        output: [],
      },
    },
    {
      type: "response.output_item.added",
      sequence_number: 1,
      output_index: 0,
      item: { type: "message", id: "i", role: "assistant", status: "in_progress", content: [] },
    },
    {
      type: "response.content_part.added",
      sequence_number: 2,
      item_id: "i",
      output_index: 0,
      content_index: 0,
      part: { type: "output_text", text: "", annotations: [] },
    },
    {
      type: "response.output_text.delta",
      sequence_number: 3,
      item_id: "i",
      output_index: 0,
      content_index: 0,
      delta: "Hi.",
    },
    {
      type: "response.output_text.done",
      sequence_number: 4,
      item_id: "i",
      output_index: 0,
      content_index: 0,
      text: "Hi.",
    },
    {
      type: "response.output_item.done",
      sequence_number: 5,
      output_index: 0,
      item: {
        type: "message",
        id: "i",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Hi.", annotations: [] }],
      },
    },
    {
      type: "response.completed",
      sequence_number: 6,
      response: {
        id: "r",
        object: "response",
        created_at: 1,
        model: "m",
        status: "completed",
        output: [],
        usage: { ...usage, total_tokens: 9 },
      },
    },
  ],
  "google-generative-ai": [
    {
      candidates: [
        { content: { role: "model", parts: [{ text: "Hi." }] }, finishReason: "STOP", index: 0 },
      ],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 2, totalTokenCount: 9 },
      modelVersion: "m",
    },
  ],
} as const;

export type Api = keyof typeof STREAMS;
