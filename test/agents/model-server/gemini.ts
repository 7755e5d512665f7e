import { type Json, list, record, text } from "./json.ts";
import { type Turn, usageOf } from "./script.ts";
import type { Asked, Heard, Wire } from "./wire.ts";

const METHOD = /\/models\/([^/:]+):(streamGenerateContent|generateContent)$/;

export const gemini: Wire = {
  api: "gemini",
  matches: (path) => METHOD.test(path),

  read(path, body) {
    const request = record(body);
    const [, model = "", method] = METHOD.exec(path) ?? [];
    return {
      model,
      stream: method === "streamGenerateContent",
      heard: [
        ...list(record(request.systemInstruction).parts).map(
          (part): Heard => ({
            role: "system",
            text: text(record(part).text),
          }),
        ),
        ...list(request.contents).flatMap(heardIn),
      ],
      tools: list(request.tools).flatMap((tool) =>
        list(record(tool).functionDeclarations).map((each) => text(record(each).name)),
      ),
    };
  },

  answer: (turn, asked) => chunk(turn, asked, parts(turn)),
  events: (turn, asked) => [{ data: chunk(turn, asked, parts(turn)) }],
  failure: (code, message) => ({ error: { code, message, status: "INTERNAL" } }),
};

function heardIn(value: unknown): Heard[] {
  const { role, parts: said } = record(value);
  return list(said).flatMap((value): Heard[] => {
    const part = record(value);
    const answer = record(part.functionResponse);
    if (answer.name !== undefined) {
      const toolName = text(answer.name);
      const callId = text(answer.id);
      return [{ role: "tool", toolName, callId, ...result(record(answer.response)) }];
    }
    const call = part.functionCall;
    if (call !== undefined) {
      return [{ role: "assistant", text: JSON.stringify(record(call).args ?? {}) }];
    }
    return [{ role: role === "model" ? "assistant" : "user", text: text(part.text) }];
  });
}

function result(response: Json): Pick<Heard, "text" | "isError"> {
  const { output, error } = response;
  if (error !== undefined) return { text: text(error), isError: true };
  return { text: typeof output === "string" ? output : JSON.stringify(response), isError: false };
}

function parts(turn: Turn): Json[] {
  const made: Json[] = [];
  if (turn.thinking) made.push({ text: turn.thinking, thought: true });
  if (turn.text) made.push({ text: turn.text });
  for (const { name, input, id } of turn.toolCalls ?? []) {
    made.push({ functionCall: { name, args: input, ...(id === undefined ? {} : { id }) } });
  }
  return made;
}

function chunk(turn: Turn, asked: Asked, said: readonly Json[]): Json {
  const { input, cached, cacheWrite, output, reasoning } = usageOf(turn);
  const promptTokenCount = input + cached + cacheWrite;
  return {
    candidates: [{ index: 0, content: { role: "model", parts: said }, finishReason: "STOP" }],
    usageMetadata: {
      promptTokenCount,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output,
      thoughtsTokenCount: reasoning,
      totalTokenCount: promptTokenCount + output + reasoning,
    },
    modelVersion: asked.model,
  };
}
