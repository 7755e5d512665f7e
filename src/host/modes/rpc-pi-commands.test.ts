import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RpcClient } from "../test-kit/rpc-client.ts";

const folder = mkdtempSync(join(tmpdir(), "seam-rpc-pi-"));
const model = (id: string) => ({ id, name: id, reasoning: true });
const local = {
  api: "openai-completions",
  baseUrl: "http://127.0.0.1:9",
  apiKey: "x",
  models: [model("a"), model("b")],
};
let client: RpcClient;

beforeAll(async () => {
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, "models.json"), JSON.stringify({ providers: { local } }));
  client = new RpcClient([{ text: "Hello yourself" }, { text: "picture" }], folder, folder);
  await client.ask({ type: "prompt", message: "hello" });
  await client.find("the end of it", ({ type }) => type === "agent_settled");
});
afterAll(() => client.process.kill("SIGKILL"));

const data = async (command: { type: string; [field: string]: unknown }) => {
  const answer = await client.ask(command);
  expect(answer).toMatchObject({ type: "response", command: command.type, success: true });
  return answer.data;
};

describe("Pi's commands", () => {
  it("get_last_assistant_text, get_fork_messages and get_session_stats tell of the conversation", async () => {
    expect(await data({ type: "get_last_assistant_text" })).toEqual({ text: "Hello yourself" });
    expect(await data({ type: "get_fork_messages" })).toEqual({
      messages: [{ entryId: expect.any(String), text: "hello" }],
    });
    expect(await data({ type: "get_session_stats" })).toMatchObject({
      sessionId: expect.any(String),
      userMessages: 1,
      assistantMessages: 1,
      toolCalls: 0,
      toolResults: 0,
      totalMessages: 2,
      tokens: { input: expect.any(Number), output: expect.any(Number), total: expect.any(Number) },
      cost: 0,
    });
  });

  it("set_… change what get_state says, and refuse what they do not know", async () => {
    await data({ type: "set_steering_mode", mode: "one-at-a-time" });
    await data({ type: "set_follow_up_mode", mode: "one-at-a-time" });
    await data({ type: "set_auto_compaction", enabled: false });
    await data({ type: "set_auto_retry", enabled: false });
    await data({ type: "abort_retry" });
    expect(await data({ type: "get_state" })).toMatchObject({
      isCompacting: false,
      steeringMode: "one-at-a-time",
      followUpMode: "one-at-a-time",
      autoCompactionEnabled: false,
    });
    const refused = await client.ask({ type: "set_steering_mode", mode: "some" });
    expect(refused).toMatchObject({ success: false, error: expect.stringContaining("all") });
  });

  it("export_html writes the conversation as a page", async () => {
    const path = join(folder, "out.html");
    expect(await data({ type: "export_html", outputPath: path })).toEqual({ path });
    expect(readFileSync(path, "utf8")).toContain("Hello yourself");
    const refused = await client.ask({
      type: "export_html",
      outputPath: join(folder, "no/x.html"),
    });
    expect(refused.success).toBe(false);
    expect(existsSync(join(folder, "no"))).toBe(false);
  });

  it("clone goes on in a copy of the session", async () => {
    const before = (await data({ type: "get_state" })) as { sessionId: string };
    expect(await data({ type: "clone" })).toEqual({ cancelled: false });
    const after = (await data({ type: "get_state" })) as { sessionId: string };
    expect(after.sessionId).not.toBe(before.sessionId);
    expect(await data({ type: "get_last_assistant_text" })).toEqual({ text: "Hello yourself" });
  });

  it("models and levels are listed and cycled through", async () => {
    const { models } = (await data({ type: "get_available_models" })) as {
      models: { provider: string; id: string }[];
    };
    const ids = models.filter(({ provider }) => provider === "local").map(({ id }) => id);
    expect(ids).toEqual(["a", "b"]);
    expect(await data({ type: "set_model", provider: "local", modelId: "a" })).toMatchObject({
      provider: "local",
      id: "a",
    });
    expect(await data({ type: "cycle_model" })).toMatchObject({
      model: { id: expect.any(String) },
      thinkingLevel: "off",
      isScoped: false,
    });
    await data({ type: "set_model", provider: "local", modelId: "b" });
    expect(await data({ type: "cycle_thinking_level" })).toEqual({ level: "minimal" });
  });

  it("images have a shape, and one without it is refused", async () => {
    const wrong = await client.ask({ type: "steer", message: "x", images: [{ type: "image" }] });
    expect(wrong).toMatchObject({ success: false, error: expect.stringContaining("mimeType") });
  });
});
