import { describe, expect, it } from "vitest";
import { SeamError } from "../errors/index.ts";
import { load, model, stubHost } from "./test-kit/index.ts";

const HANDS_OUT_PI = "export default (pi) => { given.pi = pi; };";

/** Everything that acts, and how it reaches the host. */
const ACTIONS = [
  ["sendMessage", [{ customType: "c", content: "x", display: true }, { triggerTurn: true }]],
  ["sendUserMessage", ["hello", { deliverAs: "steer" }]],
  ["appendEntry", ["state", { n: 1 }]],
  ["setSessionName", ["new name"]],
  ["setLabel", ["entry-1", "label"]],
  ["setActiveTools", [["read"]]],
  ["setThinkingLevel", ["high"]],
] as const;
const QUESTIONS = [
  ["getSessionName", "the session"],
  ["getActiveTools", ["read"]],
  ["getAllTools", []],
  ["getCommands", []],
  ["getThinkingLevel", "low"],
] as const;

type Call = (...args: readonly unknown[]) => unknown;
const method = (object: object, name: string) => Reflect.get(object, name) as Call;

describe("before there is a host", () => {
  const names = [...ACTIONS, ...QUESTIONS].map(([name]) => name);
  it.each([...names, "getExtensions"])("pi.%s throws", async (name) => {
    const { pi, path } = await load({ "a.ts": HANDS_OUT_PI });
    expect(() => method(pi(), name)()).toThrow(
      expect.objectContaining({ code: "SEAM_EXT_NOT_BOUND" }),
    );
    expect(() => method(pi(), name)()).toThrow(path("a.ts"));
    expect(() => method(pi(), name)()).toThrow(`pi.${name}()`);
  });

  it("everything of pi.sessions rejects, and what is no session is refused once there is a host", async () => {
    const { pi, set } = await load({ "a.ts": HANDS_OUT_PI });
    const to = { agent: "codex", session: "s" };
    for (const name of Object.keys(pi().sessions)) {
      const asked = method(pi().sessions, name)(to, "text");
      await expect(asked, name).rejects.toMatchObject({ code: "SEAM_EXT_NOT_BOUND" });
    }
    const host = stubHost();
    set.bind(host);
    expect(await pi().sessions.interrupt(to)).toBe("next step");
    expect(host.calls).toEqual([["interrupt", to, "a"]]);
    const wrong = method(pi().sessions, "hold")("s1");
    await expect(wrong).rejects.toMatchObject({ code: "SEAM_SESSION_INVALID" });
  });

  it("pi.setModel rejects", async () => {
    const { pi } = await load({ "a.ts": HANDS_OUT_PI });
    const answer = pi().setModel(model());
    await expect(answer).rejects.toMatchObject({ code: "SEAM_EXT_NOT_BOUND" });
  });

  it("an action in the factory fails the extension with an error that names the method", async () => {
    const { problem, path } = await load({
      "a.ts": "export default (pi) => {\n  pi.sendUserMessage('too early');\n};",
    });
    const { error, where } = problem("SEAM_EXT_NOT_BOUND");
    expect(error.message).toContain("pi.sendUserMessage()");
    expect(where).toEqual({ file: path("a.ts"), line: 2 });
  });

  it("registering, exec, getFlag, events and the logger work", async () => {
    const { set, seen } = await load({
      "a.ts": `export default async (pi) => {
        pi.registerFlag("f", { type: "string", default: "by default" });
        pi.events.on("c", (data) => seen.push(data));
        pi.events.emit("c", "bus");
        pi.logger.info("nobody hears this");
        seen.push(pi.getFlag("f"), (await pi.exec("echo", ["hi"])).stdout);
      };`,
    });
    expect(set.problems).toEqual([]);
    expect(seen).toEqual(["bus", "by default", "hi\n"]);
  });
});

describe("providers registered while loading", () => {
  const PROVIDES = (...names: string[]) =>
    `export default (pi) => { ${names.map((n) => `pi.registerProvider("${n}", { name: "${n}" })`).join(";")} };`;
  const FILES = { "a.ts": PROVIDES("one", "two"), "b.ts": PROVIDES("three") };

  it("reach the host when it is bound, in order", async () => {
    const { set } = await load(FILES);
    const host = stubHost();
    set.bind(host);
    expect(host.callsOf("registerProvider")).toEqual([
      ["one", { name: "one" }],
      ["two", { name: "two" }],
      ["three", { name: "three" }],
    ]);
  });

  it("do not reach it if they were taken back before", async () => {
    const { set } = await load({
      "a.ts": `export default (pi) => {
        pi.registerProvider("gone", {});
        pi.unregisterProvider("gone");
      };`,
    });
    const host = stubHost();
    set.bind(host);
    expect(host.calls).toEqual([]);
  });

  it.each([
    ["an error", () => new Error("I refuse")],
    ["one of Seam's own errors", () => new SeamError("SEAM_USAGE", { detail: "I refuse" })],
  ])("are reported if the host refuses them with %s, and the others go on", async (_, refusal) => {
    const { set, path } = await load(FILES);
    const taken: string[] = [];
    const registerProvider = (name: string) => {
      if (name === "one") throw refusal();
      taken.push(name);
    };
    set.bind(stubHost({ registerProvider }));
    expect(taken).toEqual(["two", "three"]);
    expect(set.problems).toHaveLength(1);
    expect(set.problems[0]).toMatchObject({ severity: "error", path: path("a.ts") });
    expect(set.problems[0]?.error.message).toContain("I refuse");
  });
});

describe("once there is a host", () => {
  async function bound() {
    const loaded = await load({ "a.ts": HANDS_OUT_PI });
    const host = stubHost();
    loaded.set.bind(host);
    return { ...loaded, host };
  }

  it.each(ACTIONS)("pi.%s reaches it", async (name, args) => {
    const { host, pi } = await bound();
    method(pi(), name)(...args);
    expect(host.calls).toEqual([[name, ...args]]);
  });

  it.each(QUESTIONS)("pi.%s is answered by it", async (name, answer) => {
    const { pi } = await bound();
    expect(method(pi(), name)()).toEqual(answer);
  });

  it("pi.getExtensions names all of the session, and where they came from", async () => {
    const { set, pi, path } = await load({ "a.ts": HANDS_OUT_PI, "b.ts": HANDS_OUT_PI });
    set.bind(stubHost());
    expect(pi().getExtensions()).toMatchObject([
      { name: "a", sourceInfo: { path: path("a.ts"), scope: "temporary" } },
      { name: "b", sourceInfo: { path: path("b.ts"), scope: "temporary" } },
    ]);
  });

  it("pi.setModel resolves to its answer", async () => {
    const { host, pi } = await bound();
    expect(await pi().setModel(model())).toBe(true);
    expect(host.callsOf("setModel")).toEqual([[model()]]);
  });

  it("a provider is registered and taken back at once", async () => {
    const { host, pi } = await bound();
    pi().registerProvider("p", { baseUrl: "http://x" });
    pi().unregisterProvider("p");
    expect(host.calls).toEqual([
      ["registerProvider", "p", { baseUrl: "http://x" }],
      ["unregisterProvider", "p"],
    ]);
  });

  it("a tool is there at once, and the host is told", async () => {
    const { set, host, pi } = await bound();
    const execute = async () => ({ content: [] });
    pi().registerTool({
      name: "t",
      description: "d",
      parameters: { type: "object" },
      exposure: "direct" as const,
      execute,
    });
    expect(host.calls).toEqual([["toolsChanged"]]);
    expect(set.tools().map(({ tool }) => tool.name)).toEqual(["t"]);
    expect(pi().getAllTools()).toMatchObject([{ name: "t", sourceInfo: { scope: "temporary" } }]);
  });

  it("a handler added and removed takes effect at once", async () => {
    const { set, pi } = await bound();
    const end = pi().on("turn_start", () => {});
    expect(set.dispatcher.report().map(({ event }) => event)).toEqual(["turn_start"]);
    end();
    expect(set.dispatcher.report()).toEqual([]);
  });

  it("a message the host fails to deliver is reported, the extension goes on", async () => {
    const { set, pi, path } = await load({ "a.ts": HANDS_OUT_PI });
    set.bind(stubHost({ sendUserMessage: () => Promise.reject(new Error("agent is busy")) }));
    pi().sendUserMessage("hello");
    await new Promise((resolve) => setImmediate(resolve));
    expect(set.problems).toMatchObject([{ severity: "error", path: path("a.ts") }]);
    expect(set.problems[0]?.error.message).toContain("agent is busy");
  });
});

it("getAllTools lists an extension's tool instead of a built-in one of the same name", async () => {
  const { set, pi } = await load({
    "a.ts": `export default (pi) => {
      given.pi = pi;
      pi.registerTool({ name: "read", description: "mine", parameters: { type: "object" }, execute() {} });
    };`,
  });
  const builtin = (name: string) => ({
    name,
    description: "built in",
    parameters: { type: "object" },
    exposure: "direct" as const,
    sourceInfo: { path: "", source: "builtin", scope: "user", origin: "top-level" } as const,
  });
  set.bind(stubHost({ getBuiltinTools: () => [builtin("read"), builtin("bash")] }));
  const listed = pi().getAllTools();
  expect(listed.map((tool) => [tool.name, tool.description])).toEqual([
    ["read", "mine"],
    ["bash", "built in"],
  ]);
});
