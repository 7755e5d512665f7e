import { createServer } from "node:net";
import { join } from "node:path";
import { transform } from "esbuild";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { PluginPlace, QUICK } from "../hooks/test-kit/plugin-place.ts";
import { hooks } from "./hooks.ts";
import { opencodePlugin } from "./plugin.ts";

type Hook = (input: object, output: object) => Promise<void>;
type Hooks = Record<string, Hook> & {
  event: (given: object) => Promise<void>;
  dispose: () => Promise<void>;
};

let place: PluginPlace;
beforeEach(() => {
  place = new PluginPlace();
});
afterEach(() => place.close());

async function start(limits = QUICK): Promise<Hooks> {
  const { Seam } = await place.load(opencodePlugin(limits));
  return (Seam as (host: object) => Promise<Hooks>)({ directory: "/home/dev/app" });
}

/** A daemon that tells the same at every hook. */
const told = (all: Parameters<typeof hooks.answer>[1]) =>
  place.daemon(({ hook }) => hooks.answer(hook, all, {}).stdout);

const useTool = (oc: Hooks, args: object, sessionID = "ses_1") =>
  oc["tool.execute.before"]?.({ tool: "bash", sessionID, callID: "c1" }, { args });

const created = (id: string, parentID?: string) => ({
  event: { type: "session.created", properties: { info: { id, ...(parentID && { parentID }) } } },
});

const failed = (callID: string, sessionID = "ses_1") => {
  const state = { status: "error", input: { command: "ls" }, error: "boom" };
  const part = { type: "tool", tool: "bash", callID, state };
  return { event: { type: "message.part.updated", properties: { sessionID, part } } };
};

describe("the file", () => {
  it("says in its first line whose it is, and imports nothing at the top", () => {
    expect(opencodePlugin().split("\n")[0]).toMatch(/^\/\/ agentseam\b/);
    expect(opencodePlugin()).not.toMatch(/^(import\b(?!\()|.*\bfrom "|await\b)/m);
    expect(opencodePlugin()).not.toMatch(/\brequire\(/);
  });

  it("needs nothing that engines learned in the last years", async () => {
    const old = await transform(opencodePlugin(), { target: "es2018" });
    const fresh = await transform(opencodePlugin(), { target: "esnext" });
    expect(old.code).toBe(fresh.code);
  });

  it("has one thing in it that OpenCode can call, and every hook of the table", async () => {
    expect(Object.keys(await place.load(opencodePlugin()))).toEqual(["Seam"]);
    const known = Object.keys(hooks.mapping).map((hook) => hook.replace(/^event\..*/, "event"));
    expect(Object.keys(await start()).sort()).toEqual([...new Set(known)].sort());
  });
});

describe("with a daemon", () => {
  it("sends what OpenCode says, so that it can be read", async () => {
    await place.daemon();
    const oc = await start();
    await useTool(oc, { command: "ls" });
    expect(place.sent).toMatchObject([
      { agent: "opencode", hook: "tool.execute.before", token: "/v1/hook secret" },
    ]);
    expect(hooks.read("tool.execute.before", place.sent[0]?.payload ?? {})).toMatchObject({
      sessionId: "ses_1",
      cwd: "/home/dev/app",
      tools: [{ name: "bash", callId: "c1", input: { command: "ls" } }],
    });
  });

  it("a call is refused with its reason", async () => {
    await told({ block: { reason: "not that" } });
    await expect(useTool(await start(), { command: "ls" })).rejects.toThrow("not that");
  });

  it("[opencode-mutate-in-place] an input is changed in the object OpenCode has", async () => {
    await told({ input: { command: "pwd", workdir: "/tmp" } });
    const args = { command: "ls", timeout: 1 };
    await useTool(await start(), args);
    expect(args).toEqual({ command: "pwd", workdir: "/tmp" });
  });

  it("a result is replaced, also where it is shown", async () => {
    await told({ result: { content: [{ type: "text", text: "***" }], isError: false } });
    const oc = await start();
    const output = { title: "t", output: "secret", metadata: { output: "secret", exit: 0 } };
    await oc["tool.execute.after"]?.({ tool: "bash", sessionID: "ses_1", callID: "c1" }, output);
    expect(output).toEqual({ title: "t", output: "***", metadata: { output: "***", exit: 0 } });
  });

  it("[opencode-throw-after] nothing that goes wrong after a call makes it fail", async () => {
    await told({ result: { content: [{ type: "text", text: "***" }], isError: false } });
    const oc = await start();
    const frozen = Object.freeze({ output: "secret" });
    const input = { tool: "bash", sessionID: "ses_1", callID: "c1" };
    await expect(oc["tool.execute.after"]?.(input, frozen)).resolves.toBeUndefined();
  });

  it("a prompt is changed, and context is added to it", async () => {
    await told({ prompt: { text: "other" }, context: "more" });
    const oc = await start();
    const part = { id: "prt_1", sessionID: "ses_1", messageID: "m1", type: "text", text: "hi" };
    const parts = [part, { ...part, id: "prt_2", text: "there" }];
    await oc["chat.message"]?.({ sessionID: "ses_1" }, { message: { id: "m1" }, parts });
    expect(parts).toEqual([
      { ...part, text: "other" },
      { ...part, id: "prt_2", text: "" },
      { ...part, id: expect.stringMatching(/^prt_/), text: "more", synthetic: true },
    ]);
  });

  it("a prompt is stopped", async () => {
    await told({ prompt: { blocked: "not now" } });
    const oc = await start();
    const asked = oc["chat.message"]?.({ sessionID: "ses_1" }, { parts: [] });
    await expect(asked).rejects.toThrow("not now");
  });

  it("what a subagent does is sent as its parent's", async () => {
    await place.daemon();
    const oc = await start();
    await oc.event(created("ses_1"));
    await oc.event(created("ses_2", "ses_1"));
    await oc.event(created("ses_3", "ses_2"));
    place.sent.length = 0;
    await useTool(oc, { command: "ls" }, "ses_3");
    const { payload = {} } = place.sent[0] ?? {};
    expect(payload).toMatchObject({ rootSessionID: "ses_1", childSessionID: "ses_3" });
    expect(hooks.read("tool.execute.before", payload)).toMatchObject({
      sessionId: "ses_1",
      inSubagent: { id: "ses_3" },
    });
    await oc.event({ event: { type: "session.idle", properties: { sessionID: "ses_2" } } });
    const idle = place.sent.at(-1);
    expect(hooks.mapping["event.session.idle"]?.skip?.(idle?.payload ?? {})).toBe(true);
  });

  it("sends events of the table only, and of messages only tools that failed", async () => {
    await place.daemon();
    const oc = await start();
    const part = { type: "text", text: "hi" };
    const properties = { sessionID: "ses_1", part };
    await oc.event({ event: { type: "message.part.updated", properties } });
    await oc.event({ event: { type: "message.part.delta", properties } });
    await oc.event({ event: { type: "plugin.added" } });
    await oc.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } });
    await oc.event(failed("c9"));
    expect(place.sent.map(({ hook }) => hook)).toEqual([
      "event.session.idle",
      "event.message.part.updated",
    ]);
  });

  it("[opencode-no-failure-hook] a call that was refused is not told again as one that failed", async () => {
    await place.daemon(({ hook }) => (hook === "tool.execute.before" ? { error: "no" } : ""));
    const oc = await start();
    await expect(useTool(oc, { command: "ls" })).rejects.toThrow("no");
    await oc.event(failed("c1"));
    expect(place.sent.map(({ hook }) => hook)).toEqual(["tool.execute.before"]);
  });

  it("[opencode-nameless-dispose] the end is told for each session the user had", async () => {
    await place.daemon();
    const oc = await start();
    await oc.event(created("ses_1"));
    await oc.event(created("ses_2", "ses_1"));
    await oc["chat.message"]?.({ sessionID: "ses_4" }, { parts: [] });
    place.sent.length = 0;
    await oc.dispose();
    const ends = place.sent.map(({ hook, payload }) => hooks.read(hook, payload)?.sessionId);
    expect(ends).toEqual(["ses_1", "ses_4"]);
  });

  it("waits at the end for what was not sent yet", async () => {
    let answered = 0;
    await place.daemonThat((_, response) => {
      setTimeout(() => {
        answered += 1;
        response.end();
      }, 50);
    });
    const oc = await start();
    void oc.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } });
    await oc.dispose();
    expect(answered).toBe(2);
  });

  it.each(["[]", "null", "<html>", '{"error":7,"args":"x","output":{},"text":1,"context":[]}'])(
    "an answer that makes no sense changes nothing: %s",
    async (body) => {
      await place.daemon(() => body);
      const oc = await start();
      const args = { command: "ls" };
      const output = { output: "hi" };
      const parts = [{ type: "text", text: "hi" }];
      await useTool(oc, args);
      await oc["tool.execute.after"]?.({ tool: "bash", sessionID: "s", callID: "c" }, output);
      await oc["chat.message"]?.({ sessionID: "s" }, { parts });
      expect([args, output, parts]).toEqual([
        { command: "ls" },
        { output: "hi" },
        [{ type: "text", text: "hi" }],
      ]);
    },
  );

  it("a daemon that never answers is not waited for forever", async () => {
    await place.daemonThat(() => {});
    const args = { command: "ls" };
    await useTool(await start(), args);
    expect(args).toEqual({ command: "ls" });
  });

  it("a daemon that hangs is noticed, and gates do what is wanted without one", async () => {
    const silent = createServer((socket) => {
      socket.on("error", () => {});
    });
    place.write("run/token", "secret\n");
    const path = join(place.home, "run/daemon.sock");
    await new Promise<void>((ready) => silent.listen(path, ready));
    onTestFinished(() => void silent.close());
    const oc = await start({ ...QUICK, gateMs: 60_000, silenceMs: 100 });
    await useTool(oc, { command: "ls" });
    place.write("run/block", "/home/dev/app\n");
    await expect(useTool(oc, { command: "ls" })).rejects.toThrow("seam daemon start");
  });

  it("a handler may take longer than a silent daemon", async () => {
    await place.daemonThat((_, response) => setTimeout(() => response.end(), 1_000));
    const oc = await start({ ...QUICK, gateMs: 60_000, silenceMs: 100 });
    place.write("run/block", "/home/dev/app\n");
    await useTool(oc, { command: "ls" });
  });
});

describe("without a daemon", () => {
  it("nothing happens on a machine without Seam, whatever OpenCode says", async () => {
    const oc = await start();
    const given: unknown[] = [undefined, {}, { event: {} }, { event: { type: 7 } }];
    for (const one of given) await oc.event(one as object);
    const names = Object.keys(oc).filter((name) => name !== "event");
    for (const name of names) await oc[name]?.({}, { parts: [] });
    const [odd] = [undefined as unknown as object];
    for (const name of names) await expect(oc[name]?.(odd, odd)).resolves.toBeUndefined();
  });

  it("the client is asked, which can start one", async () => {
    const answer = hooks.answer("tool.execute.before", { block: { reason: "not that" } }, {});
    place.client(`echo '${answer.stdout}'`);
    await expect(useTool(await start(), { command: "ls" })).rejects.toThrow("not that");
    expect(place.calls("opencode tool.execute.before")).toBe(1);
  });

  it("gates close where that is wanted", async () => {
    place.write("run/block", "/home/dev/app\n");
    const oc = await start();
    await expect(useTool(oc, { command: "ls" })).rejects.toThrow("seam daemon start");
    await oc["chat.message"]?.({ sessionID: "ses_1" }, { parts: [] });
    const { stdout } = hooks.answer("tool.execute.before", { block: { reason: "prepared" } }, {});
    place.write("run/unavailable/opencode.tool.execute.before", `0\n${stdout}`);
    await expect(useTool(oc, { command: "ls" })).rejects.toThrow("prepared");
  });
});
