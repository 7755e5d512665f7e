import { describe, expect, it } from "vitest";
import { load, stubHost, stubUi, TOOL_CALL, TURN_START } from "./test-kit/index.ts";

const HANDS_OUT = `export default (pi) => {
  pi.on("turn_start", (_event, ctx) => { given.ctx = ctx; });
};`;

async function context() {
  const loaded = await load({ "a.ts": HANDS_OUT });
  const host = stubHost();
  loaded.set.bind(host);
  loaded.set.dispatcher.emit(TURN_START);
  await loaded.set.dispatcher.settled();
  return { host, ctx: loaded.ctx(), set: loaded.set };
}

describe("the context of a handler", () => {
  it("has methods that work outside of it", async () => {
    const { host, ctx } = await context();
    const { isIdle, abort, can, compact, isProjectTrusted, getSystemPrompt } = ctx;
    abort();
    compact({ customInstructions: "short" });
    expect([isIdle(), can("tool_call"), isProjectTrusted(), getSystemPrompt()]).toEqual([
      true,
      true,
      true,
      "You are a stub.",
    ]);
    expect(host.calls).toEqual([["abort"], ["compact", { customInstructions: "short" }]]);
  });

  it("shows the present, not what was when it was made", async () => {
    const { host, ctx } = await context();
    host.cwd = "/elsewhere";
    host.mode = "print";
    host.hasUI = false;
    host.projectTrusted = false;
    host.isIdle = () => false;
    expect([ctx.cwd, ctx.mode, ctx.hasUI, ctx.isProjectTrusted(), ctx.isIdle()]).toEqual([
      "/elsewhere",
      "print",
      false,
      false,
      false,
    ]);
  });

  it("shows the host's present user interface, too", async () => {
    const { host, ctx } = await context();
    const title = (from: string) => stubUi({ getEditorText: () => from });
    host.ui = title("first");
    expect(ctx.ui.getEditorText()).toBe("first");
    host.ui = title("second");
    expect(ctx.ui.getEditorText()).toBe("second");
  });

  it("works with a user interface that is an instance of a class", async () => {
    const { host, ctx } = await context();
    class Terminal {
      readonly #text = "private";
      getEditorText() {
        return this.#text;
      }
    }
    host.ui = new Terminal() as unknown as typeof host.ui;
    const { getEditorText } = ctx.ui;
    expect(getEditorText()).toBe("private");
  });

  it("cannot be used before there is a host", async () => {
    const { set, problem } = await load({
      "a.ts": `export default (pi) => { pi.on("turn_start", (_, ctx) => { ctx.cwd; }); };`,
    });
    set.dispatcher.emit(TURN_START);
    await set.dispatcher.settled();
    expect(problem("SEAM_EXT_NOT_BOUND").error.message).toContain("ctx.cwd");
  });
});

describe("ctx.signal", () => {
  const WAITS = `export default (pi) => {
    pi.on("tool_call", async (_event, ctx) => {
      given.signal = ctx.signal;
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      seen.push("stopped");
    }, { deadlineMs: 100 });
  };`;
  const signal = () => (globalThis.given as { signal?: AbortSignal }).signal;

  it("fires when the running operation is aborted", async () => {
    const { set, seen } = await load({ "a.ts": WAITS.replace("100", "10_000") });
    const operation = new AbortController();
    set.bind(stubHost({ signal: operation.signal }));
    const deciding = set.dispatcher.emit(TOOL_CALL);
    operation.abort();
    expect(signal()?.aborted).toBe(true);
    await deciding;
    expect(seen).toEqual(["stopped"]);
  });

  it("fires when this dispatch is aborted", async () => {
    const { set } = await load({ "a.ts": WAITS.replace("100", "10_000") });
    set.bind(stubHost({ signal: new AbortController().signal }));
    const dispatch = new AbortController();
    const deciding = set.dispatcher.emit(TOOL_CALL, { signal: dispatch.signal });
    expect(signal()?.aborted).toBe(false);
    dispatch.abort();
    await deciding;
    expect(signal()?.aborted).toBe(true);
  });

  it("fires when the handler's time is up", async () => {
    const { set, codes } = await load({ "a.ts": WAITS });
    set.bind(stubHost());
    await set.dispatcher.emit(TOOL_CALL);
    expect(codes()).toEqual(["SEAM_HANDLER_TIMEOUT"]);
    expect(signal()?.aborted).toBe(true);
  });
});

describe("a context outside of any event", () => {
  it("takes the signal it is given", async () => {
    const { set } = await context();
    const [extension] = set.extensions;
    if (!extension) throw new Error("The extension is missing.");
    const tool = new AbortController();
    const ctx = set.context(extension, tool.signal);
    const before = ctx.signal;
    expect(before?.aborted).toBe(false);
    tool.abort();
    expect(before?.aborted).toBe(true);
    expect(set.context(extension, tool.signal).signal?.aborted).toBe(true);
  });

  it("for a new session can also send", async () => {
    const { set, host } = await context();
    const [extension] = set.extensions;
    if (!extension) throw new Error("The extension is missing.");
    const ctx = set.replacedContext(extension.path);
    await ctx.sendUserMessage("go on");
    await ctx.sendMessage({ customType: "c", content: "x", display: false });
    await ctx.newSession();
    expect(host.calls.map(([name]) => name)).toEqual([
      "sendUserMessage",
      "sendMessage",
      "newSession",
    ]);
  });
});
