import { join } from "node:path";
import { transform } from "esbuild";
import { createJiti } from "jiti";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PluginPlace, QUICK } from "../hooks/test-kit/plugin-place.ts";
import { hooks } from "./hooks.ts";
import { piPlugin } from "./plugin.ts";
import { FakePi } from "./test-kit.ts";

let place: PluginPlace;
beforeEach(() => {
  place = new PluginPlace();
});
afterEach(() => place.close());

const call = (command = "ls") => ({ toolName: "bash", toolCallId: "c1", input: { command } });

describe("the file", () => {
  it("says in its first line whose it is", () => {
    expect(piPlugin().split("\n")[0]).toMatch(/^\/\/ agentseam\b/);
  });

  it("[pi-broken-extension] imports nothing at the top and waits for nothing there", () => {
    expect(piPlugin()).not.toMatch(/^(import\b(?!\()|.*\bfrom "|await\b)/m);
    expect(piPlugin()).not.toMatch(/\brequire\(/);
  });

  it("needs nothing that engines learned in the last years", async () => {
    const old = await transform(piPlugin(), { target: "es2018" });
    const fresh = await transform(piPlugin(), { target: "esnext" });
    // import() is younger, but every engine that runs these agents has it.
    expect(old.code).toBe(fresh.code);
  });

  it("is loaded by what Pi loads extensions with", async () => {
    place.write("seam.js", piPlugin());
    const start: unknown = await createJiti(import.meta.url).import(join(place.home, "seam.js"), {
      default: true,
    });
    expect(start).toBeTypeOf("function");
  });

  it("listens for exactly what is in the table", async () => {
    const pi = await FakePi.with(place);
    expect([...pi.handlers.keys()]).toEqual(Object.keys(hooks.mapping));
  });

  it("[pi-broken-extension] starts whatever Pi has become", async () => {
    const { default: start } = (await place.load(piPlugin(QUICK))) as {
      default: (pi: unknown) => void;
    };
    const refuses = () => {
      throw new Error("no such event");
    };
    for (const pi of [{ on: refuses }, {}, undefined]) expect(() => start(pi)).not.toThrow();
  });
});

describe("with a daemon", () => {
  it("sends the event with its session, and the token", async () => {
    await place.daemon();
    const pi = await FakePi.with(place);
    expect(await pi.fire("tool_call", call())).toBeUndefined();
    expect(place.sent).toMatchObject([
      {
        agent: "pi",
        hook: "tool_call",
        token: "/v1/hook secret",
        payload: {
          event: { type: "tool_call", ...call() },
          ctx: {
            sessionId: "s1",
            sessionFile: "/sessions/s1.jsonl",
            cwd: "/home/dev/app",
            model: "mock/mock-model",
          },
          at: expect.stringMatching(/^\d{4}-.*Z$/),
          n: 0,
        },
      },
    ]);
    const reading = hooks.read("tool_call", place.sent[0]?.payload ?? {});
    expect(reading).toMatchObject({ sessionId: "s1", tools: [{ name: "bash", callId: "c1" }] });
  });

  const tell = async (hook: string, told: Parameters<typeof hooks.answer>[1]) => {
    await place.daemon(() => hooks.answer(hook, told, {}).stdout);
    return FakePi.with(place);
  };

  it("a call is refused", async () => {
    const pi = await tell("tool_call", { block: { reason: "not that" } });
    expect(await pi.fire("tool_call", call())).toEqual({ block: true, reason: "not that" });
  });

  it("a call is asked about in Pi's dialog, about what will run", async () => {
    const told = { ask: { reason: "It deletes things." }, input: { command: "rm -i x" } };
    await place.daemon(({ payload }) => hooks.answer("tool_call", told, payload).stdout);
    const pi = await FakePi.with(place);
    expect(await pi.fire("tool_call", call("rm x"))).toBeUndefined();
    expect(pi.said).toEqual([["confirm", "Run bash?", "It deletes things.\n\nrm -i x"]]);
    const noScreen = () => Promise.reject(new Error("no screen"));
    for (const answer of [() => false, () => undefined, () => "yes", noScreen]) {
      pi.answer = answer;
      const reason = "The user said no. It deletes things.";
      expect(await pi.fire("tool_call", call("rm x"))).toEqual({ block: true, reason });
    }
  });

  it("a call nobody can be asked about is refused", async () => {
    const told = { ask: { reason: "It deletes things." } };
    await place.daemon(({ payload }) => hooks.answer("tool_call", told, payload).stdout);
    const pi = await FakePi.with(place);
    const ctx = { ...pi.ctx, hasUI: false };
    const refused = { block: true, reason: "It deletes things." };
    expect(await pi.fire("tool_call", call("rm x"), ctx)).toEqual(refused);
    expect(pi.said).toEqual([]);
  });

  it("an input is changed in the object Pi will use", async () => {
    const pi = await tell("tool_call", { input: { command: "pwd", timeout: 5 } });
    const event = { type: "tool_call", ...call(), input: { command: "ls", gone: 1 } };
    const { input } = event;
    expect(await pi.emit(event)).toBeUndefined();
    expect(event.input).toBe(input);
    expect(input).toEqual({ command: "pwd", timeout: 5 });
  });

  it("a result is replaced", async () => {
    const content = [{ type: "text" as const, text: "***" }];
    const pi = await tell("tool_result", { result: { content, isError: true }, context: "more" });
    expect(await pi.fire("tool_result", call())).toEqual({ content, isError: true });
    expect(pi.said).toEqual([
      [
        "sendMessage",
        { customType: "seam", content: "more", display: true },
        { deliverAs: "steer" },
      ],
    ]);
  });

  it("a prompt is stopped and the user told why, or it is changed", async () => {
    const pi = await tell("input", { prompt: { blocked: "not now" } });
    expect(await pi.fire("input", { text: "hi" })).toEqual({ action: "handled" });
    expect(pi.said).toEqual([["notify", "not now", "warning"]]);
    await place.kill();
    const other = await tell("input", { prompt: { text: "other" } });
    expect(await other.fire("input", { text: "hi" })).toEqual({
      action: "transform",
      text: "other",
    });
  });

  it("context is added, a stop goes on, a compaction does not happen", async () => {
    await place.daemon(({ hook }) => {
      const told = { context: "more", goOn: "test it", cancel: { reason: "no" } };
      return hooks.answer(hook, told, {}).stdout;
    });
    const pi = await FakePi.with(place);
    expect(await pi.fire("before_agent_start", { prompt: "hi" })).toEqual({
      message: { customType: "seam", content: "more", display: true },
    });
    expect(await pi.fire("agent_end", { messages: [] })).toBeUndefined();
    expect(pi.said).toEqual([["sendUserMessage", "test it", { deliverAs: "followUp" }]]);
    expect(await pi.fire("session_before_compact")).toEqual({ cancel: true });
    expect(await pi.fire("session_before_switch")).toEqual({ cancel: true });
  });

  it("sends what cannot all be written as JSON", async () => {
    await place.daemon();
    const pi = await FakePi.with(place);
    const event: Record<string, unknown> = { signal: new AbortController().signal, big: 10n };
    event.itself = event;
    event.run = () => {};
    expect(await pi.fire("tool_call", { ...call(), ...event })).toBeUndefined();
    expect(place.sent[0]?.payload).toMatchObject({ event: { toolCallId: "c1", big: "10" } });
  });

  it("sends what is known when the context is stale", async () => {
    await place.daemon();
    const pi = await FakePi.with(place);
    const stale = new Proxy(
      {},
      {
        get: () => {
          throw new Error("stale");
        },
      },
    );
    expect(await pi.fire("tool_call", call(), stale)).toBeUndefined();
    expect(place.sent).toHaveLength(1);
  });

  it.each([
    ["a list", "[]"],
    ["a text", '"no"'],
    ["null", "null"],
    ["no JSON", "<html>"],
    ["a wrong object", '{"block":"yes","input":7,"content":"x","action":{},"cancel":1,"notify":3}'],
  ])("an answer that makes no sense changes nothing: %s", async (_, body) => {
    await place.daemon(() => body);
    const pi = await FakePi.with(place);
    for (const hook of pi.handlers.keys()) {
      expect(await pi.fire(hook, call())).toBeUndefined();
    }
    expect(pi.said).toEqual([]);
  });

  it("an error of the daemon's changes nothing", async () => {
    await place.daemonThat((_, response) => {
      response.writeHead(500);
      response.end('{"block":true,"reason":"x"}');
    });
    const pi = await FakePi.with(place);
    expect(await pi.fire("tool_call", call())).toBeUndefined();
  });

  it("[pi-waits-forever] a daemon that never answers is not waited for forever", async () => {
    await place.daemonThat(() => {});
    const pi = await FakePi.with(place);
    expect(await pi.fire("tool_call", call())).toBeUndefined();
    expect(await pi.fire("session_shutdown")).toBeUndefined();
    expect(place.sent).toHaveLength(2);
  });

  it("[pi-late-events] Pi does not wait where no answer counts, and all comes in order", async () => {
    const slow = ["session_start", "turn_start"];
    await place.daemonThat(({ hook }, response) => {
      setTimeout(() => response.end(), slow.includes(hook) ? 50 : 0);
    });
    const pi = await FakePi.with(place);
    const told = { type: "turn_end", turnIndex: 0 };
    for (const type of slow) expect(pi.emit({ type })).toBeUndefined();
    expect(pi.emit(told)).toBeUndefined();
    told.turnIndex = 1;
    await pi.fire("tool_call", call());
    expect(place.sent.map(({ hook }) => hook)).toEqual([...slow, "turn_end", "tool_call"]);
    expect(place.sent[2]?.payload).toMatchObject({ event: { turnIndex: 0 } });
  });

  it("[pi-early-shutdown] the end of a session comes after the end of the work in it", async () => {
    await place.daemonThat((_, response) => void setTimeout(() => response.end(), 20));
    const pi = await FakePi.with(place);
    await pi.fire("before_agent_start", { prompt: "hi" });
    const ended = pi.fire("session_shutdown", { reason: "quit" });
    await pi.fire("agent_end", { messages: [] });
    await ended;
    expect(place.sent.map(({ hook }) => hook).slice(1)).toEqual(["agent_end", "session_shutdown"]);
  });

  it("[pi-early-shutdown] the end of a session comes also if the work never ends", async () => {
    await place.daemon();
    const pi = await FakePi.with(place);
    await pi.fire("before_agent_start", { prompt: "hi" });
    await pi.fire("session_shutdown", { reason: "quit" });
    expect(place.sent.at(-1)?.hook).toBe("session_shutdown");
  });

  it("[pi-leaves-at-once] without a screen Pi is not sent back to work", async () => {
    await place.daemon(() => ({ followUp: "test it" }));
    const pi = await FakePi.with(place);
    await pi.fire("agent_end", { messages: [] }, { ...pi.ctx, hasUI: false });
    expect(pi.said).toEqual([]);
  });

  it("asks again, under the same id, when the daemon dies over a hook", async () => {
    place.client();
    await place.daemonThat((_, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("{");
      void place.kill().then(() => place.daemon(() => ({ block: true, reason: "still no" })));
    });
    const pi = await FakePi.with(place);
    expect(await pi.fire("tool_call", call())).toEqual({ block: true, reason: "still no" });
    expect(new Set(place.sent.map(({ id }) => id)).size).toBe(1);
    expect(place.sent).toHaveLength(2);
  });
});

describe("without a daemon", () => {
  it("[pi-throw-blocks] nothing happens on a machine without Seam", async () => {
    const pi = await FakePi.with(place);
    for (const hook of pi.handlers.keys()) {
      expect(await pi.fire(hook, call())).toBeUndefined();
    }
  });

  it("the client is asked, which can start one", async () => {
    const answer = hooks.answer("tool_call", { block: { reason: "said by the client" } }, {});
    place.client(`echo '${answer.stdout}'`);
    const pi = await FakePi.with(place);
    expect(await pi.fire("tool_call", call("echo 1"))).toEqual({
      block: true,
      reason: "said by the client",
    });
    expect(place.calls("pi tool_call")).toBe(1);
    const left = JSON.parse(place.read("left") ?? "") as object;
    expect(left).toMatchObject({
      event: { input: { command: "echo 1" } },
      ctx: { sessionId: "s1" },
    });
  });

  it("once it is there, it is asked itself", async () => {
    place.client();
    const pi = await FakePi.with(place);
    expect(await pi.fire("tool_call", call())).toBeUndefined();
    await place.daemon(() => ({ block: true, reason: "no" }));
    expect(await pi.fire("tool_call", call())).toEqual({ block: true, reason: "no" });
    expect(place.calls("pi tool_call")).toBe(1);
  });

  it("a client that could not start one is not waited for again, and keeps what comes", async () => {
    place.client("sleep 0.1");
    const pi = await FakePi.with(place);
    expect(await pi.fire("input", { text: "one" })).toBeUndefined();
    expect(place.read("left")).toContain("one");
    place.client("sleep 5");
    expect(await pi.fire("input", { text: "two" })).toBeUndefined();
    pi.fire("turn_end");
    await expect.poll(() => place.read("left")).toContain("two");
    await expect.poll(() => place.calls("pi turn_end")).toBe(1);
  });

  it("a gate waits for the client all the same, which knows whether one is on its way", async () => {
    place.client("sleep 0.1");
    const pi = await FakePi.with(place);
    expect(await pi.fire("input", { text: "one" })).toBeUndefined();
    const { stdout } = hooks.answer("tool_call", { block: { reason: "up at last" } }, {});
    place.client(`sleep 0.1; echo '${stdout}'`);
    expect(await pi.fire("tool_call", call())).toMatchObject({ reason: "up at last" });
  });

  it("a client that never ends is not waited for forever", async () => {
    place.client("exec sleep 5");
    const pi = await FakePi.with(place);
    expect(await pi.fire("tool_call", call())).toBeUndefined();
  });

  it.each(["exit 1", "echo nonsense", "echo '[]'", "kill -9 $$"])(
    "a client that fails changes nothing: %s",
    async (what) => {
      place.client(what);
      const pi = await FakePi.with(place);
      expect(await pi.fire("tool_call", call())).toBeUndefined();
    },
  );

  it("a client that cannot be run changes nothing", async () => {
    place.write("bin/hook", "no program", 0o644);
    const pi = await FakePi.with(place);
    expect(await pi.fire("tool_call", call())).toBeUndefined();
  });

  it("gates close in the projects for which that is wanted", async () => {
    place.write("run/block", "/home/dev/app\n/home/dev/other\n");
    const pi = await FakePi.with(place);
    const at = (cwd: string) => pi.fire("tool_call", call(), { ...pi.ctx, cwd });
    const refused = { block: true, reason: expect.stringContaining("seam daemon start") };
    expect(await at("/home/dev/app")).toEqual(refused);
    expect(await at("/home/dev/app/src")).toEqual(refused);
    expect(await at("/home/dev/apple")).toBeUndefined();
    expect(await pi.fire("input", { text: "hi" })).toBeUndefined();
    place.write("run/block", "/\n");
    expect(await at("/anywhere")).toEqual(refused);
  });

  it("gates close with the reason that was prepared for it", async () => {
    place.write("run/block", "/\n");
    const { stdout } = hooks.answer("tool_call", { block: { reason: "prepared" } }, {});
    place.write("run/unavailable/pi.tool_call", `0\n${stdout}`);
    const pi = await FakePi.with(place);
    expect(await pi.fire("tool_call", call())).toEqual({ block: true, reason: "prepared" });
  });

  it.each(["never answers", "answers nonsense"])("gates close too if it %s", async (what) => {
    place.write("run/block", "/\n");
    await place.daemonThat(
      (_, response) => void (what === "answers nonsense" && response.end("?")),
    );
    const pi = await FakePi.with(place);
    expect(await pi.fire("tool_call", call())).toMatchObject({ block: true });
  });
});
