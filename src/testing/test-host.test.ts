import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "typebox";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ExtensionFactory, ExtensionSet } from "../extensions/index.ts";
import { createTestHost, type TestHostOptions } from "./index.ts";

/** A host with one extension, gone after the test. */
async function hosting(factory: ExtensionFactory, options: Partial<TestHostOptions> = {}) {
  const host = await createTestHost({ extensions: [{ name: "mine", factory }], ...options });
  onTestFinished(() => host.dispose());
  return host;
}

const codes = ({ problems }: Pick<ExtensionSet, "problems">) =>
  problems.map(({ error }) => error.code);

describe("emit", () => {
  it("returns the decision of a gate", async () => {
    const host = await hosting((pi) => {
      pi.on("session_before_switch", () => ({ cancel: true }));
    });
    const decision = await host.emit({ type: "session_before_switch", reason: "new" });
    expect(decision).toMatchObject({ blocked: true, by: "mine" });
  });

  it("returns the event as handlers left it", async () => {
    const host = await hosting((pi) => {
      pi.on("input", ({ text }) => ({ action: "transform", text: `${text}!` }));
    });
    const { event } = await host.emit({ type: "input", text: "hello", source: "interactive" });
    expect(event.text).toBe("hello!");
  });

  it("has delivered an observed event when it returns, also to a slow handler", async () => {
    const seen: number[] = [];
    const host = await hosting((pi) => {
      pi.on("turn_start", async ({ turnIndex }) => {
        await new Promise((done) => setTimeout(done, 20));
        seen.push(turnIndex);
      });
    });
    await host.emit({ type: "turn_start", turnIndex: 7, timestamp: 0 });
    expect(seen).toEqual([7]);
  });

  it("refuses an event that is not as declared, and says what is wrong", async () => {
    const host = await hosting(() => {});
    const malformed = { type: "turn_start", turnIndex: "first", timestamp: 0 };
    await expect(host.emit(malformed as never)).rejects.toMatchObject({
      code: "SEAM_USAGE",
      message: expect.stringContaining("turn_start: turnIndex"),
    });
  });

  it("refuses an event that does not exist, with the nearest name", async () => {
    const host = await hosting(() => {});
    await expect(host.emit({ type: "tool_cal" } as never)).rejects.toMatchObject({
      code: "SEAM_EVENT_UNKNOWN",
      next: expect.stringContaining('"tool_call"'),
    });
  });
});

describe("toolCall", () => {
  it("shows who decided what", async () => {
    const host = await createTestHost({
      extensions: [
        { name: "silent", factory: (pi) => void pi.on("tool_call", () => {}) },
        { name: "strict", factory: (pi) => void pi.on("tool_call", () => ({ block: true })) },
        { name: "never-asked", factory: (pi) => void pi.on("tool_call", () => {}) },
      ],
    });
    onTestFinished(() => host.dispose());
    const { blocked, by, reason, trace = [] } = await host.toolCall("bash", { command: "ls" });
    expect({ blocked, by, reason }).toEqual({
      blocked: true,
      by: "strict",
      reason: "Blocked by strict.",
    });
    expect(trace.map(({ by: name, said }) => [name, said])).toEqual([
      ["silent", "nothing"],
      ["strict", "result"],
    ]);
  });

  it("keeps the original input and the changed one", async () => {
    const host = await hosting((pi) => {
      pi.on("tool_call", (event) => {
        event.input.command = "ls -la";
      });
    });
    expect(await host.toolCall("bash", { command: "ls" })).toMatchObject({
      blocked: false,
      originalInput: { command: "ls" },
      input: { command: "ls -la" },
      changedBy: ["mine"],
    });
  });

  it("blocks when a handler fails, and the problem is there to see", async () => {
    const host = await hosting((pi) => {
      pi.on("tool_call", () => {
        throw new Error("broken");
      });
    });
    const decision = await host.toolCall("bash", { command: "ls" });
    expect(decision).toMatchObject({ blocked: true, failed: true, by: "mine" });
    expect(codes(host)).toEqual(["SEAM_HANDLER_THREW"]);
  });

  it("a deadline can be made short", async () => {
    const host = await hosting((pi) => void pi.on("tool_call", () => new Promise(() => {})), {
      deadlines: { tool_call: 30 },
    });
    const decision = await host.toolCall("bash", {});
    expect(decision).toMatchObject({ blocked: true, failed: true });
    expect(codes(host)).toEqual(["SEAM_HANDLER_TIMEOUT"]);
  });
});

describe("runTool", () => {
  const greeter: ExtensionFactory = (pi) => {
    pi.registerTool({
      name: "greet",
      description: "Greets someone",
      parameters: Type.Object({ name: Type.String() }),
      async execute(_id, { name }, _signal, onUpdate, ctx) {
        if (name === "nobody") throw new Error("nobody is there");
        onUpdate?.({ content: [{ type: "text", text: "…" }] });
        return { content: [{ type: "text", text: `Hello ${name}, in ${ctx.mode}` }] };
      },
    });
  };

  /** The greeter, and the tool events in the order they came. */
  async function greeting(more: ExtensionFactory = () => {}) {
    const events: string[] = [];
    const host = await hosting((pi) => {
      greeter(pi);
      pi.on("tool_execution_start", ({ type }) => void events.push(type));
      pi.on("tool_call", ({ type }) => void events.push(type));
      pi.on("tool_execution_update", ({ type }) => void events.push(type));
      pi.on("tool_result", ({ type }) => void events.push(type));
      pi.on("tool_execution_end", ({ type, isError }) => void events.push(`${type} ${isError}`));
      more(pi);
    });
    return { host, events };
  }

  it("runs the tool with all events around it", async () => {
    const { host, events } = await greeting();
    const { content, isError } = await host.runTool("greet", { name: "Ada" });
    expect(content).toEqual([{ type: "text", text: "Hello Ada, in test" }]);
    expect(isError).toBe(false);
    expect(events).toEqual([
      "tool_execution_start",
      "tool_call",
      "tool_execution_update",
      "tool_result",
      "tool_execution_end false",
    ]);
  });

  it("gives back what tool_result made of it", async () => {
    const { host } = await greeting((pi) => {
      pi.on("tool_result", () => ({ content: [{ type: "text", text: "redacted" }] }));
    });
    const { content } = await host.runTool("greet", { name: "Ada" });
    expect(content).toEqual([{ type: "text", text: "redacted" }]);
  });

  it("a blocked call does not run and says why", async () => {
    const { host, events } = await greeting((pi) => {
      pi.on("tool_call", () => ({ block: true, reason: "Not today" }));
    });
    const { content, isError } = await host.runTool("greet", { name: "nobody" });
    expect({ content, isError }).toEqual({
      content: [{ type: "text", text: "Not today" }],
      isError: true,
    });
    expect(events.at(-1)).toBe("tool_execution_end true");
  });

  it("a tool that throws gives an error result, and its call ends", async () => {
    const { host, events } = await greeting();
    const { content, isError } = await host.runTool("greet", { name: "nobody" });
    expect(isError).toBe(true);
    expect(content).toEqual([{ type: "text", text: "nobody is there" }]);
    expect(events.at(-1)).toBe("tool_execution_end true");
  });

  it("input that does not fit the schema never reaches the tool", async () => {
    const { host } = await greeting();
    const { content, isError } = await host.runTool("greet", { name: 1 });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain("name");
  });

  it("the result is withheld when a critical extension fails to check it", async () => {
    const checker: ExtensionFactory = (pi) => {
      pi.on("tool_result", () => {
        throw new Error("cannot check");
      });
    };
    const host = await createTestHost({
      extensions: [
        { name: "greeter", factory: greeter },
        { name: "checker", factory: checker, critical: true },
      ],
    });
    onTestFinished(() => host.dispose());
    const { content, isError } = await host.runTool("greet", { name: "Ada" });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain("withheld");
    expect(JSON.stringify(content)).not.toContain("Ada");
  });

  it("a tool nobody registered is a mistake of the test", async () => {
    const { host } = await greeting();
    await expect(host.runTool("zip", {})).rejects.toMatchObject({ code: "SEAM_USAGE" });
  });
});

describe("command", () => {
  it("runs with everything after the name as its argument", async () => {
    const seen: string[] = [];
    const host = await hosting((pi) => {
      pi.registerCommand("say", { handler: (args) => void seen.push(args) });
    });
    await host.command("/say hello  world");
    await host.command("say");
    expect(seen).toEqual(["hello  world", ""]);
  });

  it("one that throws is reported, one that is not there is refused", async () => {
    const host = await hosting((pi) => {
      pi.registerCommand("fail", {
        handler: () => {
          throw new Error("no");
        },
      });
    });
    await host.command("/fail");
    expect(codes(host)).toEqual(["SEAM_HANDLER_THREW"]);
    await expect(host.command("/other")).rejects.toMatchObject({ code: "SEAM_USAGE" });
  });
});

describe("dialogs", () => {
  const asker: ExtensionFactory = (pi) => {
    pi.registerCommand("ask", {
      handler: async (_, { ui }) => {
        const answers = [
          await ui.select("Which?", ["a", "b"]),
          await ui.confirm("Sure?", "Really"),
          await ui.input("Name?"),
          await ui.editor("Text?"),
        ];
        ui.notify(JSON.stringify(answers));
      },
    });
  };

  it("are answered by the script, in order, and the questions can be read", async () => {
    const host = await hosting(asker, { answers: ["b", true, "Ada", "long text"] });
    await host.command("/ask");
    expect(host.ui.notifications).toEqual([
      { message: '["b",true,"Ada","long text"]', type: "info" },
    ]);
    expect(host.ui.questions).toEqual([
      { kind: "select", title: "Which?", options: ["a", "b"] },
      { kind: "confirm", title: "Sure?", message: "Really" },
      { kind: "input", title: "Name?" },
      { kind: "editor", title: "Text?" },
    ]);
  });

  it("an answer can be found by a function that sees the question", async () => {
    const host = await hosting(asker, { answers: [({ options }) => options?.[0]] });
    await host.command("/ask");
    expect(host.ui.notifications[0]?.message).toMatch(/^\["a",false,null,null\]$/);
  });

  it("without answers there is nobody to ask, and every question is answered no", async () => {
    const has: boolean[] = [];
    const host = await hosting((pi) => {
      asker(pi);
      pi.on("session_start", (_, ctx) => void has.push(ctx.hasUI));
    });
    await host.command("/ask");
    expect(has).toEqual([false]);
    expect(host.ui.notifications[0]?.message).toBe("[null,false,null,null]");
    const asked = await hosting(
      (pi) => {
        pi.on("session_start", (_, ctx) => void has.push(ctx.hasUI));
      },
      { answers: [] },
    );
    expect(has).toEqual([false, true]);
    expect(asked.ui.questions).toEqual([]);
  });

  it("waiting for a person does not count against the deadline", async () => {
    const host = await hosting(
      (pi) => {
        pi.on("tool_call", async (_, { ui }) => ({ block: !(await ui.confirm("Run?", "it")) }));
      },
      {
        deadlines: { tool_call: 40 },
        answers: [() => new Promise((done) => setTimeout(() => done(true), 150))],
      },
    );
    expect(await host.toolCall("bash", {})).toMatchObject({ blocked: false });
    expect(host.problems).toEqual([]);
  });

  it("what is shown can be read: statuses, widgets, titles, the editor", async () => {
    const host = await hosting((pi) => {
      pi.on("session_start", (_, { ui }) => {
        ui.setStatus("a", "busy");
        ui.setStatus("b", "gone");
        ui.setStatus("b", undefined);
        ui.setWidget("w", ["line"]);
        ui.setTitle("Title");
        ui.setEditorText("one");
        ui.pasteToEditor(" two");
      });
    });
    expect(Object.fromEntries(host.ui.statuses)).toEqual({ a: "busy" });
    expect(host.ui.widgets.get("w")).toEqual(["line"]);
    expect(host.ui.titles).toEqual(["Title"]);
    expect(host.ui.editorText).toBe("one two");
  });
});

describe("what an extension sends and stores", () => {
  it("can be read, and is in the session", async () => {
    const host = await hosting((pi) => {
      pi.on("session_start", () => {
        pi.sendUserMessage("Go on", { deliverAs: "followUp" });
        pi.sendMessage({ customType: "note", content: "look", display: true });
        pi.appendEntry("state", { count: 1 });
        pi.setSessionName("My session");
      });
    });
    expect(host.sent).toEqual([
      { kind: "user", content: "Go on", options: { deliverAs: "followUp" } },
      { kind: "custom", message: { customType: "note", content: "look", display: true } },
    ]);
    expect(host.session.getEntries().map(({ type }) => type)).toEqual([
      "message",
      "custom_message",
      "custom",
      "session_info",
    ]);
    expect(host.session.getSessionName()).toBe("My session");
  });

  it("flags have the values the test gave them", async () => {
    const seen: unknown[] = [];
    await hosting(
      (pi) => {
        pi.registerFlag("strict", { type: "boolean", default: false });
        pi.registerFlag("level", { type: "string", default: "low" });
        pi.on("session_start", () => void seen.push(pi.getFlag("strict"), pi.getFlag("level")));
      },
      { flags: { strict: true } },
    );
    expect(seen).toEqual([true, "low"]);
  });

  it("a model answers with the prepared replies, one after the other", async () => {
    const said: string[] = [];
    const host = await hosting(
      (pi) => {
        pi.registerCommand("ask", {
          handler: async (_, { modelRegistry, model }) => {
            if (!model) return;
            const answer = await modelRegistry.stream(model, { messages: [] }).result();
            const [first] = answer.content;
            said.push(first?.type === "text" ? first.text : (answer.errorMessage ?? ""));
          },
        });
      },
      { replies: ["one", "two"] },
    );
    for (let i = 0; i < 3; i++) await host.command("/ask");
    expect(said).toEqual(["one", "two", expect.stringContaining("has 2 turns")]);
  });

  it("models of a provider that an extension brings can be found", async () => {
    const found: unknown[] = [];
    await hosting((pi) => {
      const model = { id: "tiny", name: "Tiny", reasoning: false, input: ["text" as const] };
      const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
      pi.registerProvider("local", {
        models: [{ ...model, cost, contextWindow: 10, maxTokens: 5 }],
      });
      pi.on("session_start", (_, { modelRegistry }) => {
        found.push(modelRegistry.find("local", "tiny")?.name);
      });
    });
    expect(found).toEqual(["Tiny"]);
  });
});

describe("extensions", () => {
  it("come from files as well as from functions, in the order given", async () => {
    const dir = mkdtempSync(join(tmpdir(), "seam-testing-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    writeFileSync(join(dir, "from-file.ts"), "export default (pi: unknown) => void pi;");
    const host = await createTestHost({
      cwd: dir,
      extensions: [{ name: "inline", factory: () => {} }, "from-file.ts"],
    });
    onTestFinished(() => host.dispose());
    expect(host.extensions.extensions.map(({ name }) => name)).toEqual(["inline", "from-file"]);
  });

  it("one that does not load is thrown, and the session of the others is ended", async () => {
    const seen: string[] = [];
    const creating = createTestHost({
      extensions: [
        {
          name: "broken",
          factory: () => {
            throw new Error("no");
          },
        },
        {
          name: "fine",
          factory: (pi) => pi.on("session_shutdown", () => void seen.push("shutdown")),
        },
      ],
    });
    await expect(creating).rejects.toMatchObject({
      code: "SEAM_EXT_FACTORY",
      message: expect.stringContaining("broken"),
    });
    expect(seen).toEqual(["shutdown"]);
  });

  it("a file that is not there is thrown too", async () => {
    await expect(createTestHost({ extensions: ["./no-such-file.ts"] })).rejects.toThrow(
      "no-such-file",
    );
  });
});

it("the session ends when the host is disposed of, and only once", async () => {
  const seen: unknown[] = [];
  const host = await createTestHost({
    extensions: [
      {
        name: "a",
        factory: (pi) => void pi.on("session_shutdown", (e) => void seen.push(e.reason)),
      },
    ],
  });
  await host.dispose();
  await host.dispose();
  expect(seen).toEqual(["quit"]);
});

it("a session that was there before is resumed, and a reload keeps it", async () => {
  const seen: unknown[] = [];
  const host = await createTestHost({
    session: (session) => void session.appendCustomEntry("todo", { done: 1 }),
    extensions: [
      {
        name: "a",
        factory: (pi) =>
          void pi.on("session_start", ({ reason }, ctx) => {
            seen.push([reason, ctx.sessionManager.getEntries().length]);
          }),
      },
    ],
  });
  await host.reload();
  await host.dispose();
  expect(seen).toEqual([
    ["resume", 1],
    ["reload", 1],
  ]);
});
