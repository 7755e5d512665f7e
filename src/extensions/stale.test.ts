import { describe, expect, it } from "vitest";
import type { ExtensionContext } from "./api/context.ts";
import { load, model, stubHost, TURN_START } from "./test-kit/index.ts";

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const STALE = expect.objectContaining({ code: "SEAM_EXT_STALE" });

const HANDS_OUT = `export default (pi) => {
  given.pi = pi;
  pi.on("turn_start", (_event, ctx) => { given.ctx = ctx; });
  pi.registerCommand("hand-out", { handler: (_args, ctx) => { given.ctx = ctx; } });
};`;

async function ended(how: "handler" | "command" = "handler") {
  const loaded = await load({ "a.ts": HANDS_OUT });
  const { set } = loaded;
  const host = stubHost();
  set.bind(host);
  if (how === "handler") {
    set.dispatcher.emit(TURN_START);
    await set.dispatcher.settled();
  } else {
    await set.commands()[0]?.run("");
  }
  const ctx = loaded.ctx();
  const [extension] = set.extensions;
  if (!extension) throw new Error("The extension is missing.");
  set.dispose();
  return { ...loaded, ctx, host, extension };
}

/** Reads a property and, if it is a method, calls it: what a member does when it is used. */
function use(object: object, key: string): unknown {
  const value: unknown = Reflect.get(object, key);
  return typeof value === "function" ? value(() => {}, 1) : value;
}

describe("after dispose()", () => {
  it("every method of pi throws", async () => {
    const { pi, host } = await ended();
    const api = pi();
    const objects = ["events", "logger", "sessions", "typebox", "zod"];
    const methods = Object.keys(api).filter((key) => !objects.includes(key));
    expect(methods).toHaveLength(33);
    const asynchronous = ["setModel"];
    for (const key of methods.filter((one) => !asynchronous.includes(one))) {
      expect(() => use(api, key), `pi.${key}`).toThrow(STALE);
    }
    await expect(api.setModel(model())).rejects.toEqual(STALE);
    for (const key of Object.keys(api.sessions)) {
      await expect(use(api.sessions, key), key).rejects.toEqual(STALE);
    }
    for (const key of ["emit", "on"]) expect(() => use(api.events, key), key).toThrow(STALE);
    for (const key of Object.keys(api.logger)) {
      expect(() => use(api.logger, key), `pi.logger.${key}`).toThrow(STALE);
    }
    expect(host.calls).toEqual([]);
  });

  const CTX = [
    ...["ui", "hasUI", "mode", "cwd", "sessionManager", "modelRegistry", "model", "signal", "can"],
    ...["scopedModels", "thinkingLevel"],
    ...["isIdle", "isProjectTrusted", "abort", "hasPendingMessages", "shutdown"],
    ...["getContextUsage", "compact", "getSystemPrompt", "setTimeout", "setInterval"],
  ];
  const COMMAND_CTX = [
    "getSystemPromptOptions",
    "waitForIdle",
    "newSession",
    "fork",
    "navigateTree",
    "switchSession",
    "reload",
  ];

  it.each(CTX)("ctx.%s of an earlier handler throws", async (key) => {
    const { ctx, host } = await ended();
    expect(() => use(ctx, key)).toThrow(STALE);
    expect(host.calls).toEqual([]);
  });

  it.each([...CTX, ...COMMAND_CTX])("ctx.%s of an earlier command throws", async (key) => {
    const { ctx, host } = await ended("command");
    expect(() => use(ctx, key)).toThrow(STALE);
    expect(host.calls).toEqual([]);
  });

  it("these are all the members there are", async () => {
    const { ctx } = await ended("command");
    expect(Object.keys(ctx).sort()).toEqual([...CTX, ...COMMAND_CTX, "clearTimer"].sort());
  });

  it("the error names the extension and says what to use instead", async () => {
    const { ctx, path } = await ended();
    expect(() => ctx.cwd).toThrow(path("a.ts"));
    expect(() => ctx.cwd).toThrow(expect.objectContaining({ next: expect.stringMatching(/ctx/) }));
  });

  it("methods that were taken out of the context throw too", async () => {
    const { set, ctx } = await load({ "a.ts": HANDS_OUT });
    set.bind(stubHost());
    set.dispatcher.emit(TURN_START);
    await set.dispatcher.settled();
    const { isIdle, abort } = ctx() as ExtensionContext;
    set.dispose();
    expect(isIdle).toThrow(STALE);
    expect(abort).toThrow(STALE);
  });

  it("a context made for a tool or a new session throws as well", async () => {
    const { set, extension } = await ended();
    expect(() => set.context(extension).cwd).toThrow(STALE);
    expect(() => set.replacedContext(extension.path).cwd).toThrow(STALE);
  });

  it("no handler runs and no timer fires", async () => {
    const { set, seen } = await load({
      "a.ts": `export default (pi) => {
        pi.on("turn_start", (_, ctx) => {
          seen.push("handler");
          ctx.setTimeout(() => seen.push("ctx timer"), 20);
          ctx.setInterval(() => seen.push("ctx interval"), 20);
        });
        setTimeout(() => seen.push("timeout"), 500);
        setInterval(() => seen.push("interval"), 500);
      };`,
    });
    set.bind(stubHost());
    set.dispatcher.emit(TURN_START);
    await set.dispatcher.settled();
    set.dispose();
    set.dispatcher.emit(TURN_START);
    await wait(600);
    expect(seen).toEqual(["handler"]);
    expect(set.dispatcher.report()).toEqual([]);
  });

  it("can be called twice", async () => {
    const { set } = await ended();
    expect(() => set.dispose()).not.toThrow();
  });
});
