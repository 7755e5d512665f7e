import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { returns } from "../test-kit/index.ts";
import { type Message, RpcClient } from "../test-kit/rpc-client.ts";

const folder = mkdtempSync(join(tmpdir(), "seam-rpc-"));
const TURNS = [
  { when: "^hello$", text: "Hello yourself" },
  { when: "^slow$", text: "never said", delayMs: 60_000 },
  { when: "^hold$", text: "held", delayMs: 300 },
  { when: "^circle$", toolCalls: [{ name: "circle" }] },
  { when: "^whole$", text: "round" },
  { when: "line\u2028separator", text: "seen" },
  { when: "^(one|two|Say hello)$", text: "queued" },
  { when: "^last words$", text: "said at the end", delayMs: 20 },
];
const SKILL = join(folder, ".seam/skills/gone/SKILL.md");
let client: RpcClient;

beforeAll(() => {
  mkdirSync(join(folder, ".git"));
  mkdirSync(join(folder, ".seam/skills/gone"), { recursive: true });
  writeFileSync(SKILL, "---\nname: gone\ndescription: d\n---\nx\n");
  mkdirSync(join(folder, ".seam/prompts"));
  writeFileSync(join(folder, ".seam/prompts/greet.md"), "Say $1");
  client = new RpcClient(TURNS, folder, folder);
});
afterAll(async () => {
  client.process.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const settled = (after: number) =>
  client.find("agent_settled", ({ type }) => type === "agent_settled", after);

describe("commands", () => {
  it("a prompt is accepted at once; the events tell how it goes on", async () => {
    const answer = await client.ask({ type: "prompt", message: "hello" });
    expect(answer).toMatchObject({ type: "response", command: "prompt", success: true });
    await settled(0);
    const types = client.said.map(({ type }) => type);
    expect(types).toContain("agent_start");
    expect(JSON.stringify(client.said)).toContain("Hello yourself");
    const updates = client.said.filter(({ type }) => type === "message_update");
    expect(updates.length).toBeGreaterThan(0);
    expect(updates.filter((update) => "message" in update)).toEqual([]);
    expect(client.said.find(({ type }) => type === "input")).toMatchObject({ source: "rpc" });
  });

  it("get_state says what is going on", async () => {
    const { data } = await client.ask({ type: "get_state" });
    expect(data).toMatchObject({
      model: { provider: "scripted" },
      thinkingLevel: "off",
      isStreaming: false,
      pendingMessageCount: 0,
      messageCount: 2,
      sessionId: expect.any(String),
    });
  });

  it("abort is heard while the agent works", async () => {
    const before = client.said.length;
    await client.ask({ type: "prompt", message: "slow" });
    expect(await client.ask({ type: "get_state" })).toMatchObject({ data: { isStreaming: true } });
    expect(await client.ask({ type: "abort" })).toMatchObject({ success: true });
    expect(await settled(before)).toMatchObject({ aborted: true });
    expect(await client.ask({ type: "get_state" })).toMatchObject({ data: { isStreaming: false } });
  });

  it("messages that wait can be added, listed, edited and cancelled", async () => {
    const before = client.said.length;
    await client.ask({ type: "prompt", message: "hold" });
    const steer = await client.ask({ type: "steer", message: "draft" });
    const later = await client.ask({ type: "follow_up", message: "drop me" });
    const [first, second] = [steer, later].map(
      ({ data }) => (data as { queuedId: string }).queuedId,
    );
    expect(await client.ask({ type: "get_queue" })).toMatchObject({
      data: {
        messages: [
          { id: first, kind: "steer" },
          { id: second, kind: "followUp" },
        ],
      },
    });
    expect(
      await client.ask({ type: "edit_queued", queuedId: first, message: "one" }),
    ).toMatchObject({ data: { edited: true } });
    expect(await client.ask({ type: "cancel_queued", queuedId: second })).toMatchObject({
      data: { cancelled: true },
    });
    await settled(before);
    const { data } = await client.ask({ type: "get_messages" });
    expect(JSON.stringify(data)).toContain('"one"');
    expect(JSON.stringify(data)).not.toContain("drop me");
  });

  it("an unknown one is refused, with a hint", async () => {
    expect(await client.ask({ type: "get_stat" })).toMatchObject({
      command: "get_stat",
      success: false,
      error: expect.stringContaining('Did you mean "get_state"?'),
    });
    expect(await client.ask({ type: "toString" })).toMatchObject({ success: false });
  });

  it("one without its fields is refused", async () => {
    expect(await client.ask({ type: "prompt" })).toMatchObject({
      success: false,
      error: '"message" must be a string.',
    });
  });

  it("a prompt that cannot be made is refused, and the program goes on", async () => {
    rmSync(SKILL);
    expect(await client.ask({ type: "prompt", message: "/skill:gone" })).toMatchObject({
      success: false,
      error: expect.stringContaining("cannot be read"),
    });
    expect(await client.ask({ type: "get_state" })).toMatchObject({ success: true });
  });

  it("get_commands lists those of extensions, prompts and skills", async () => {
    const { data } = await client.ask({ type: "get_commands" });
    const { commands } = data as { commands: { name: string; source: string }[] };
    expect(commands[0]).toMatchObject({
      name: "ask",
      description: "Asks everything there is to ask",
      source: "extension",
      sourceInfo: { path: "<demo>" },
    });
    expect(commands.map(({ name, source }) => `${source} ${name}`)).toEqual(
      expect.arrayContaining(["extension ask", "prompt greet", "skill skill:gone"]),
    );
  });

  it("what is said with steer is expanded; a command is refused; an idle agent begins", async () => {
    const before = client.said.length;
    expect(await client.ask({ type: "steer", message: "/ask" })).toMatchObject({
      success: false,
      error: expect.stringContaining("/ask is a command"),
    });
    const answer = await client.ask({ type: "steer", message: "/greet hello" });
    expect(answer).toMatchObject({ success: true, data: {} });
    await settled(before);
    const said = client.said.slice(before);
    expect(said.find(({ type }) => type === "input")).toMatchObject({
      text: "/greet hello",
      source: "rpc",
    });
    const started = said.find(({ type }) => type === "agent_start");
    expect(started).toMatchObject({ prompt: "Say hello" });
  });
});

describe("lines", () => {
  it("that are not JSON objects are refused one by one, and the next is heard", async () => {
    const before = client.said.length;
    client.write('garbage\n[1]\n"text"\nnull\n\n   \n{"type":\n');
    expect(await client.ask({ type: "get_state" })).toMatchObject({ success: true });
    const refused = client.said.slice(before).filter(({ command }) => command === "parse");
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ type: "response", success: false });
  });

  it("end with LF only: other separators are text", async () => {
    const before = client.said.length;
    await client.ask({ type: "prompt", message: "line\u2028separator\u2029 \u0085 end" });
    await settled(before);
    const ends = client.said.slice(before).filter(({ type }) => type === "message_end");
    expect(JSON.stringify(ends)).toContain("line\u2028separator\u2029 \u0085 end");
    expect(JSON.stringify(ends)).toContain('"seen"');
  });

  it("may come in pieces, also in the middle of a character", async () => {
    const line = Buffer.from(`${JSON.stringify({ id: "ü", type: "get_state" })}\n`);
    const cut = line.indexOf("ü") + 1;
    client.process.stdin.write(line.subarray(0, cut));
    await new Promise((resolve) => setTimeout(resolve, 20));
    client.process.stdin.write(line.subarray(cut));
    expect(await client.find("the answer", ({ id }) => id === "ü")).toMatchObject({
      success: true,
    });
  });

  it("of tools whose details are a circle are still JSON", async () => {
    const before = client.said.length;
    await client.ask({ type: "prompt", message: "circle" });
    await settled(before);
    const [update] = client.said
      .slice(before)
      .filter(({ type }) => type === "tool_execution_update");
    expect(JSON.stringify(update)).toContain("circular");
    expect(JSON.stringify(client.said.slice(before))).toContain('"round"');
  });

  it("printed by extensions go to stderr", async () => {
    await client.ask({ type: "prompt", message: "/print" });
    await client.find("nothing but JSON", () => client.errors.includes("noise from stdout"));
    expect(client.errors).toContain("noise from console");
    expect(JSON.stringify(client.said)).not.toContain("noise");
  });
});

describe("dialogs", () => {
  const reply = (request: Message, fields: object) =>
    client.send({ type: "extension_ui_response", id: request.id, ...fields });
  const notice = async (after: number) => (await client.request("notify", after)).message;

  it("are requests, and the answers come back to the extension", async () => {
    const before = client.said.length;
    client.send({ type: "prompt", message: "/ask" });
    const select = await client.request("select", before);
    expect(select).toMatchObject({ title: "Which?", options: ["a", "b"] });
    reply(select, { value: "b" });
    const confirm = await client.request("confirm", before);
    expect(confirm).toMatchObject({ title: "Sure?", message: "Really" });
    reply(confirm, { confirmed: true });
    const input = await client.request("input", before);
    expect(input).toMatchObject({ title: "Name?", placeholder: "Ada" });
    reply(input, { value: "Grace" });
    const editor = await client.request("editor", before);
    expect(editor).toMatchObject({ title: "Edit", prefill: "draft" });
    reply(editor, { value: "final" });
    expect(await notice(before)).toBe('["b",true,"Grace","final"]');
  });

  it("that are cancelled are answered with nothing, or no", async () => {
    const before = client.said.length;
    client.send({ type: "prompt", message: "/ask" });
    for (const method of ["select", "confirm", "input", "editor"]) {
      reply(await client.request(method, before), { cancelled: true });
    }
    expect(await notice(before)).toBe("[null,false,null,null]");
  });

  it("with a time limit are dismissed when it is over; a late answer hurts nobody", async () => {
    const before = client.said.length;
    client.send({ type: "prompt", message: "/ask-once 20" });
    const select = await client.request("select", before);
    expect(select).toMatchObject({ timeout: 20 });
    expect(await notice(before)).toBe("answered undefined");
    reply(select, { value: "a" });
    expect(await client.ask({ type: "get_state" })).toMatchObject({ success: true });
  });

  it("what needs no answer is told: status, widget, title, editor text", async () => {
    const before = client.said.length;
    await client.ask({ type: "prompt", message: "/show" });
    expect(await client.request("setStatus", before)).toMatchObject({
      statusKey: "state",
      statusText: "busy",
    });
    expect(await client.request("setWidget", before)).toMatchObject({
      widgetKey: "list",
      widgetLines: ["one", "two"],
      widgetPlacement: "belowEditor",
    });
    expect(await client.request("setTitle", before)).toMatchObject({ title: "The title" });
    expect(await client.request("set_editor_text", before)).toMatchObject({
      text: "typed for you",
    });
  });
});

describe("the end", () => {
  it("of the input: what was asked last is still done, open dialogs are dismissed", async () => {
    const before = client.said.length;
    client.send({ type: "prompt", message: "/ask-once" });
    await client.request("select", before);
    client.send({ id: "last", type: "prompt", message: "last words" });
    expect(await returns("the process", client.end())).toBe(0);
    const rest = client.said.slice(before);
    expect(rest.find(({ id }) => id === "last")).toMatchObject({ success: true });
    expect(rest.find(({ method }) => method === "notify")).toMatchObject({
      message: "answered undefined",
    });
    expect(JSON.stringify(rest)).toContain("said at the end");
    expect(rest.at(-1)).toMatchObject({ type: "agent_settled" });
  });

  it("that an extension asks for comes although the input stays open", async () => {
    const other = new RpcClient([], folder, folder);
    await other.ask({ type: "prompt", message: "/quit" });
    const closed = new Promise((resolve) => other.process.on("close", resolve));
    expect(await returns("the process", closed)).toBe(0);
  });
});

describe("an extension that never gives the thread back", () => {
  it.each([
    ["at once", /^<.*> \(\/stuck\) did not give the thread back/],
    ["later", /^Most likely <.*> \(\/stuck, after an await\) did not give the thread back/],
  ])("%s ends the process, which says who it was", async (when, who) => {
    const other = new RpcClient(TURNS, folder, folder, { STUCK_MS: "300" });
    let errors = "";
    other.process.stderr?.on("data", (text) => {
      errors += String(text);
    });
    const closed = once(other.process, "close");
    other.write(`${JSON.stringify({ type: "prompt", message: `/stuck ${when}` })}\n`);
    if (when === "later") {
      const { id } = await other.request("select");
      other.write(`${JSON.stringify({ type: "extension_ui_response", id, value: "a" })}\n`);
    }
    const [, signal] = await returns("the process", closed);
    expect(signal).toBe("SIGKILL");
    expect(errors).toMatch(who);
  });
});
