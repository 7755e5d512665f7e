import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, record } from "./json.ts";
import type { Play } from "./play.ts";
import { modelSaw } from "./saw.ts";
import type { Script } from "./script.ts";
import { type ModelServer, startModelServer } from "./server.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** How a client of each API asks: in one piece or as a stream, with tools or for itself. */
const APIS = {
  anthropic: {
    path: () => "/v1/messages?beta=true",
    body: (stream: boolean, tools: boolean) => ({
      model: "m",
      stream,
      system: [{ type: "text", text: "be good" }],
      messages: [
        { role: "user", content: "hello" },
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Bash", input: {} }] },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t1", content: "it says 42", is_error: true },
            { type: "text", text: "go on" },
          ],
        },
      ],
      ...(tools ? { tools: [{ name: "Bash" }] } : {}),
    }),
    usage: {
      input_tokens: 7,
      cache_read_input_tokens: 20,
      cache_creation_input_tokens: 3,
      output_tokens: 6,
    },
  },
  chat: {
    path: () => "/v1/chat/completions",
    body: (stream: boolean, tools: boolean) => ({
      model: "m",
      stream,
      messages: [
        { role: "system", content: "be good" },
        { role: "user", content: [{ type: "text", text: "hello" }] },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "t1", function: { name: "bash", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "t1", content: "it says 42" },
        { role: "user", content: "go on" },
      ],
      ...(tools ? { tools: [{ type: "function", function: { name: "bash" } }] } : {}),
    }),
    usage: {
      prompt_tokens: 30,
      completion_tokens: 6,
      total_tokens: 36,
      prompt_tokens_details: { cached_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
  },
  responses: {
    path: () => "/v1/responses",
    body: (stream: boolean, tools: boolean) => ({
      model: "m",
      stream,
      instructions: "be good",
      input: [
        { type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] },
        { type: "function_call", call_id: "t1", name: "exec_command", arguments: "{}" },
        { type: "function_call_output", call_id: "t1", output: "it says 42" },
        { role: "user", content: [{ type: "input_text", text: "go on" }] },
      ],
      ...(tools ? { tools: [{ type: "function", name: "exec_command" }] } : {}),
    }),
    usage: {
      input_tokens: 30,
      input_tokens_details: { cached_tokens: 20 },
      output_tokens: 6,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 36,
    },
  },
  gemini: {
    path: (stream: boolean) =>
      `/v1beta/models/m:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: (_stream: boolean, tools: boolean) => ({
      systemInstruction: { parts: [{ text: "be good" }] },
      contents: [
        { role: "user", parts: [{ text: "hello" }] },
        { role: "model", parts: [{ functionCall: { id: "t1", name: "shell", args: {} } }] },
        {
          role: "user",
          parts: [
            { functionResponse: { id: "t1", name: "shell", response: { output: "it says 42" } } },
            { text: "go on" },
          ],
        },
      ],
      ...(tools ? { tools: [{ functionDeclarations: [{ name: "shell" }] }] } : {}),
    }),
    usage: {
      promptTokenCount: 30,
      cachedContentTokenCount: 20,
      candidatesTokenCount: 4,
      thoughtsTokenCount: 2,
      totalTokenCount: 36,
    },
  },
} as const;

const NAMES = ["anthropic", "chat", "responses", "gemini"] as const;

let keys = 0;
function start(script: Script): { key: string; play: Play } {
  keys += 1;
  const key = `key-${keys}`;
  return { key, play: server.play(key, script) };
}

async function ask(key: string, api: (typeof NAMES)[number], { stream = true, tools = true } = {}) {
  const { path, body } = APIS[api];
  const response = await fetch(`${server.urlFor(key)}${path(stream)}`, {
    method: "POST",
    body: JSON.stringify(body(stream, tools)),
  });
  return { status: response.status, text: await response.text() };
}

/** The JSON of each event of a stream. */
function eventsIn(stream: string): unknown[] {
  return stream
    .split("\n")
    .filter((line) => line.startsWith("data: ") && line !== "data: [DONE]")
    .map((line) => parse(line.slice("data: ".length)));
}

describe.each(NAMES)("the scripted model over %s", (api) => {
  const turn = {
    text: "Here it is.",
    thinking: "Let me see.",
    toolCalls: [{ name: "some_tool", input: { path: "a.txt" }, id: "call-9" }],
    usage: { input: 7, cached: 20, cacheWrite: 3, output: 4, reasoning: 2 },
  };

  it.each([true, false])("says what the turn says (as a stream: %s)", async (stream) => {
    const { key } = start({ turns: [turn] });
    const { status, text } = await ask(key, api, { stream });
    expect(status).toBe(200);
    const said = stream ? eventsIn(text) : [parse(text)];
    expect(said).not.toContain(undefined);
    const all = JSON.stringify(said);
    for (const word of ["Here it is.", "Let me see.", "some_tool", "a.txt", "call-9"]) {
      expect(all).toContain(word);
    }
    const usages = said.map((each) => usageIn(each)).filter((each) => each !== undefined);
    expect(usages.at(-1)).toEqual(APIS[api].usage);
  });

  it("keeps what it heard in the same form as the others", async () => {
    const { key, play } = start({ turns: [turn] });
    await ask(key, api);
    const saw = modelSaw(play.requests);
    expect(saw.system).toBe("be good");
    expect(saw.userTexts).toEqual(["go on"]);
    expect(saw.toolResults).toMatchObject([{ callId: "t1", text: "it says 42" }]);
    expect(saw.everything).toContain("hello");
    expect(play.requests).toMatchObject([{ api, kind: "turn", model: "m", stream: true }]);
  });

  it("takes no turn for what an agent asks for itself", async () => {
    const { key, play } = start({ turns: [turn], side: "A title" });
    expect((await ask(key, api, { tools: false })).text).toContain("A title");
    expect(play.unplayed).toBe(1);
    expect(play.requests).toMatchObject([{ kind: "side" }]);
    expect(modelSaw(play.requests).userTexts).toEqual([]);
  });

  it("fails as told, once", async () => {
    const { key } = start({ turns: [{ error: { status: 529, message: "too busy" } }, turn] });
    const failed = await ask(key, api);
    expect(failed.status).toBe(529);
    expect(failed.text).toContain("too busy");
    expect((await ask(key, api)).text).toContain("Here it is.");
  });
});

function usageIn(value: unknown): unknown {
  const { usage, usageMetadata, response } = record(value);
  return usage ?? usageMetadata ?? record(response).usage;
}

describe("a play", () => {
  it("counts what was not played and what was asked beyond it", async () => {
    const { key, play } = start({ turns: [{ text: "one" }, { text: "two" }] });
    await ask(key, "chat");
    expect(play).toMatchObject({ unplayed: 1, overrun: 0 });
    await ask(key, "chat");
    expect((await ask(key, "chat")).text).toContain("no turn left");
    expect(play).toMatchObject({ unplayed: 0, overrun: 1 });
  });

  it("is apart from others that are played at the same time", async () => {
    const one = start({ turns: [{ text: "for one" }] });
    const two = start({ turns: [{ text: "for two" }] });
    const answers = await Promise.all([ask(two.key, "chat"), ask(one.key, "anthropic")]);
    expect(answers[0]?.text).toContain("for two");
    expect(answers[1]?.text).toContain("for one");
    expect(one.play.requests).toHaveLength(1);
  });

  it("gives a subagent its own turns", async () => {
    const { key, play } = start({
      turns: [{ text: "for the parent" }],
      subagents: [{ prompt: "hello", turns: [{ text: "for the child" }] }],
    });
    expect((await ask(key, "chat")).text).toContain("for the child");
    expect(modelSaw(play.requests).userTexts).toEqual([]);
    expect(modelSaw(play.requests, 0).userTexts).toEqual(["go on"]);
  });

  it("makes a call from what the model heard", async () => {
    const call = (heard: readonly { text: string }[]) => ({
      name: "wait",
      input: { on: heard.find(({ text }) => text.startsWith("it says"))?.text },
    });
    const { key } = start({ turns: [{ toolCalls: [call] }] });
    expect((await ask(key, "anthropic", { stream: false })).text).toContain('"on":"it says 42"');
  });

  it("answers what is not for the model, and tells of it", async () => {
    const { key, play } = start({ turns: [] });
    const get = async (path: string) => (await fetch(`${server.urlFor(key)}${path}`)).status;
    expect(await get("/v1/models")).toBe(200);
    expect(await get("/v1/nonsense")).toBe(404);
    expect(play.probes).toEqual(["GET /v1/models", "GET /v1/nonsense"]);
  });

  it("is needed: nobody else is answered", async () => {
    expect((await ask("unknown", "chat")).status).toBe(404);
    expect((await fetch(server.url)).status).toBe(404);
  });

  it("makes free-form and namespaced calls for Codex", async () => {
    const toolCalls = [
      { name: "apply_patch", input: "*** Begin Patch" },
      { name: "spawn_agent", namespace: "multi_agent_v1", input: { message: "go" } },
    ];
    const { key } = start({ turns: [{ toolCalls }] });
    const { output } = record(parse((await ask(key, "responses", { stream: false })).text));
    expect(output).toMatchObject([
      { type: "custom_tool_call", input: "*** Begin Patch" },
      { type: "function_call", namespace: "multi_agent_v1", arguments: '{"message":"go"}' },
    ]);
  });
});
