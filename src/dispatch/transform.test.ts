import { describe, expect, it } from "vitest";
import type { EventMap } from "../events/index.ts";
import {
  beforeAgentStart,
  contextOf,
  extension,
  FAILURES,
  input,
  said,
  setUp,
  toolResult,
} from "./test-kit.ts";

type Context = EventMap["context"];

describe("context", () => {
  it("each handler sees what the one before made, in place or returned, sync or async", async () => {
    const { dispatcher } = setUp();
    const seen: number[] = [];
    dispatcher.on(extension("in-place"), "context", ({ messages }: Context) => {
      seen.push(messages.length);
      messages.push(said("b"));
    });
    dispatcher.on(extension("returning"), "context", async ({ messages }: Context) => {
      seen.push(messages.length);
      return { messages: [...messages, said("c")] };
    });
    dispatcher.on(extension("silent"), "context", ({ messages }: Context) => {
      seen.push(messages.length);
    });
    const decision = await dispatcher.emit(contextOf("a"));
    expect(seen).toEqual([1, 2, 3]);
    expect(decision).toEqual({
      event: contextOf("a", "b", "c"),
      changedBy: ["in-place", "returning"],
      aborted: false,
    });
  });

  it("what a handler returns wins over what it edited", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("both"), "context", ({ messages }: Context) => {
      messages.push(said("edited"));
      return { messages: [said("returned")] };
    });
    expect((await dispatcher.emit(contextOf("a"))).event).toEqual(contextOf("returned"));
  });

  it("the emitted event keeps its messages", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("editor"), "context", ({ messages }: Context) => {
      for (const message of messages) Object.assign(message, { content: "changed" });
      messages.length = 1;
    });
    const event = contextOf("a", "b");
    const decision = await dispatcher.emit(event);
    expect(event).toEqual(contextOf("a", "b"));
    expect(decision.event).toEqual(contextOf("changed"));
  });

  it("an extension with two handlers is named once", async () => {
    const { dispatcher } = setUp();
    const twice = extension("twice");
    for (const text of ["b", "c"]) {
      dispatcher.on(twice, "context", ({ messages }: Context) => void messages.push(said(text)));
    }
    const { changedBy, event } = await dispatcher.emit(contextOf("a"));
    expect(changedBy).toEqual(["twice"]);
    expect(event).toEqual(contextOf("a", "b", "c"));
  });

  it("an untouched event comes back as it is", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("silent"), "context", async () => {});
    const event = contextOf("a");
    const decision = await dispatcher.emit(event);
    expect(decision.event).toBe(event);
    expect(decision.changedBy).toEqual([]);
  });

  it.each(FAILURES)(
    "a handler that $how is reported and what it did in place is dropped",
    async ({ run, code }) => {
      const { dispatcher, problems } = setUp();
      const broken = extension("broken");
      const seen: string[] = [];
      const misbehave = ({ messages }: Context) => {
        messages.push(said("half done"));
        Object.assign(messages[0] ?? {}, { content: "scribbled" });
        return run();
      };
      dispatcher.on(extension("before"), "context", ({ messages }: Context) => {
        messages.push(said("b"));
      });
      dispatcher.on(broken, "context", misbehave, { deadlineMs: 20 });
      dispatcher.on(extension("after"), "context", ({ messages }: Context) => {
        seen.push(...messages.map((message) => ("content" in message ? `${message.content}` : "")));
      });
      const { event, changedBy } = await dispatcher.emit(contextOf("a"));
      expect(seen).toEqual(["a", "b"]);
      expect(event).toEqual(contextOf("a", "b"));
      expect(changedBy).toEqual(["before"]);
      expect(problems).toMatchObject([{ error: { code }, owner: broken, event: "context" }]);
    },
  );
});

describe("tool_result", () => {
  it("content, details and isError can be replaced, one by one", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("content"), "tool_result", () => ({
      content: [{ type: "text", text: "redacted" }],
    }));
    dispatcher.on(extension("details"), "tool_result", async () => ({ details: { lines: 3 } }));
    dispatcher.on(extension("error"), "tool_result", () => ({ isError: true }));
    const { event } = await dispatcher.emit(toolResult("secret"));
    expect(event).toEqual({ ...toolResult("redacted"), details: { lines: 3 }, isError: true });
  });

  it.each(FAILURES)(
    "is withheld when a critical extension $how, and nobody else is asked",
    async ({ run, code }) => {
      const { dispatcher, codes } = setUp();
      const seen: string[] = [];
      const redactor = extension("redactor", { critical: true });
      dispatcher.on(redactor, "tool_result", run, { deadlineMs: 20 });
      dispatcher.on(extension("later"), "tool_result", () => void seen.push("later"));
      const decision = await dispatcher.emit(toolResult());
      expect(decision.withheldBy).toBe("redactor");
      expect(seen).toEqual([]);
      expect(codes()).toEqual([code]);
    },
  );

  it.each(FAILURES)(
    "goes on when an extension that is not critical $how",
    async ({ run, code }) => {
      const { dispatcher, codes } = setUp();
      const seen: string[] = [];
      dispatcher.on(extension("formatter"), "tool_result", run, { deadlineMs: 20 });
      dispatcher.on(extension("later"), "tool_result", () => void seen.push("later"));
      const decision = await dispatcher.emit(toolResult());
      expect(decision).toEqual({ event: toolResult(), changedBy: [], aborted: false });
      expect(seen).toEqual(["later"]);
      expect(codes()).toEqual([code]);
    },
  );

  it("a critical extension that fails on another transform is only reported", async () => {
    const { dispatcher, codes } = setUp();
    dispatcher.on(extension("redactor", { critical: true }), "context", () => {
      throw new Error("boom");
    });
    const decision = await dispatcher.emit(contextOf("a"));
    expect(decision).toEqual({ event: contextOf("a"), changedBy: [], aborted: false });
    expect(codes()).toEqual(["SEAM_HANDLER_THREW"]);
  });

  it("what a failing handler did to details is dropped as well", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("broken"), "tool_result", ({ details }: { details: object }) => {
      Object.assign(details, { scribbled: true });
      throw new Error("boom");
    });
    const { event } = await dispatcher.emit({ ...toolResult(), details: { lines: 3 } });
    expect(event.details).toEqual({ lines: 3 });
  });

  it("an empty result is no change", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("shy"), "tool_result", () => ({}));
    expect((await dispatcher.emit(toolResult())).changedBy).toEqual([]);
  });
});

describe("message_end", () => {
  const event = () =>
    ({ type: "message_end", message: said("hello") }) as const satisfies EventMap["message_end"];

  it("is replaced by a message of the same role", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("editor"), "message_end", () => ({ message: said("bye") }));
    expect((await dispatcher.emit(event())).event.message).toEqual(said("bye"));
  });

  it.each([
    ["returned", () => ({ message: { ...said("bye"), role: "custom" } })],
    ["resolved", async () => ({ message: { ...said("bye"), role: "custom" } })],
    [
      "edited in place",
      ({ message }: { message: object }) => void Object.assign(message, { role: "custom" }),
    ],
  ])("another role is refused and reported (%s)", async (_, run) => {
    const { dispatcher, problems } = setUp();
    const editor = extension("editor");
    dispatcher.on(editor, "message_end", run);
    const decision = await dispatcher.emit(event());
    expect(decision.event.message).toEqual(said("hello"));
    expect(decision.changedBy).toEqual([]);
    expect(problems).toMatchObject([{ error: { code: "SEAM_HANDLER_RESULT" }, owner: editor }]);
    expect(problems[0]?.error.message).toContain("custom");
  });
});

describe("input", () => {
  it.each([
    ["Pi", { action: "handled" }],
    ["oh-my-pi", { handled: true }],
  ])("a handler that handles it ends the chain (%s)", async (_, returned) => {
    const { dispatcher } = setUp();
    const seen: string[] = [];
    dispatcher.on(extension("handler"), "input", () => returned);
    dispatcher.on(extension("later"), "input", () => void seen.push("later"));
    const decision = await dispatcher.emit(input());
    expect(decision).toMatchObject({ endedBy: "handler", event: { handled: true } });
    expect(seen).toEqual([]);
  });

  it.each([
    ["Pi", { action: "transform", text: "changed" }],
    ["oh-my-pi", { text: "changed" }],
  ])("the next handler sees the changed text (%s)", async (_, returned) => {
    const { dispatcher } = setUp();
    const seen: string[] = [];
    dispatcher.on(extension("editor"), "input", () => returned);
    dispatcher.on(extension("later"), "input", ({ text }: EventMap["input"]) => {
      seen.push(text);
    });
    const decision = await dispatcher.emit(input());
    expect(seen).toEqual(["changed"]);
    expect(decision).toMatchObject({ event: { text: "changed" }, changedBy: ["editor"] });
    expect(decision.endedBy).toBeUndefined();
  });

  const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;

  it.each([
    ["Pi", { action: "transform", text: "look", images: [image] }, "look"],
    ["oh-my-pi", { text: "look", images: [image] }, "look"],
    ["oh-my-pi, images alone", { images: [image] }, "hello"],
  ])("images can be replaced (%s)", async (_, returned, text) => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("editor"), "input", () => returned);
    const { event } = await dispatcher.emit(input());
    expect(event).toMatchObject({ text, images: [image] });
  });

  it.each([{ action: "continue" }, { handled: false }, {}, undefined, null])(
    "%j passes it on",
    async (returned) => {
      const { dispatcher, problems } = setUp();
      dispatcher.on(extension("shy"), "input", () => returned);
      const decision = await dispatcher.emit(input());
      expect(decision).toEqual({ event: input(), changedBy: [], aborted: false });
      expect(problems).toEqual([]);
    },
  );

  it.each([{ action: "explode" }, { action: "transform" }, { text: 5 }])(
    "%j is reported and changes nothing",
    async (returned) => {
      const { dispatcher, codes } = setUp();
      dispatcher.on(extension("odd"), "input", () => returned);
      expect((await dispatcher.emit(input())).event).toEqual(input());
      expect(codes()).toEqual(["SEAM_HANDLER_RESULT"]);
    },
  );
});

describe("before_agent_start", () => {
  it("messages add up and system prompts chain", async () => {
    const { dispatcher } = setUp();
    const message = (content: string) => ({ customType: "note", content, display: false });
    type Start = EventMap["before_agent_start"];
    dispatcher.on(extension("a"), "before_agent_start", ({ systemPrompt }: Start) => ({
      message: message("one"),
      systemPrompt: `${systemPrompt} + a`,
    }));
    dispatcher.on(extension("b"), "before_agent_start", async ({ systemPrompt }: Start) => ({
      systemPrompt: `${systemPrompt} + b`,
    }));
    dispatcher.on(extension("c"), "before_agent_start", () => ({ message: message("two") }));
    const { event } = await dispatcher.emit(beforeAgentStart());
    expect(event.systemPrompt).toBe("base + a + b");
    expect(event.messages).toEqual([message("one"), message("two")]);
  });

  it("a system prompt in parts is joined", async () => {
    const { dispatcher, problems } = setUp();
    dispatcher.on(extension("omp"), "before_agent_start", () => ({ systemPrompt: ["a", "b"] }));
    const { event } = await dispatcher.emit(beforeAgentStart());
    expect(event.systemPrompt).toBe("a\n\nb");
    expect(problems).toEqual([]);
  });

  it("an empty system prompt is a system prompt", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("a"), "before_agent_start", () => ({ systemPrompt: "" }));
    expect((await dispatcher.emit(beforeAgentStart())).event.systemPrompt).toBe("");
  });
});

it("session.compacting: contexts and data add up, the last prompt wins", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("a"), "session.compacting", () => ({
    context: ["one"],
    prompt: "first",
    preserveData: { a: 1, both: "a" },
  }));
  dispatcher.on(extension("b"), "session.compacting", async () => ({
    context: ["two", "three"],
    prompt: "second",
    preserveData: { b: 2, both: "b" },
  }));
  const { event } = await dispatcher.emit({
    type: "session.compacting",
    sessionId: "s",
    messages: [],
  });
  expect(event.context).toEqual(["one", "two", "three"]);
  expect(event.prompt).toBe("second");
  expect(event.preserveData).toEqual({ a: 1, b: 2, both: "b" });
});

describe("before_provider_request", () => {
  const request = () => ({ type: "before_provider_request", payload: { model: "m" } }) as const;

  it.each([[{ model: "x" }], [["list"]], ["text"], [""], [0], [false], [null]])(
    "%j takes the place of the payload",
    async (payload) => {
      for (const run of [() => payload, async () => payload]) {
        const { dispatcher, problems } = setUp();
        dispatcher.on(extension("rewriter"), "before_provider_request", run);
        const decision = await dispatcher.emit(request());
        expect(decision.event.payload).toEqual(payload);
        expect(decision.changedBy).toEqual(["rewriter"]);
        expect(problems).toEqual([]);
      }
    },
  );

  it("undefined leaves it, and edits in place count", async () => {
    const { dispatcher } = setUp();
    dispatcher.on(extension("editor"), "before_provider_request", (event: { payload: object }) => {
      Object.assign(event.payload, { temperature: 0 });
    });
    dispatcher.on(extension("silent"), "before_provider_request", async () => undefined);
    const decision = await dispatcher.emit(request());
    expect(decision.event.payload).toEqual({ model: "m", temperature: 0 });
    expect(decision.changedBy).toEqual(["editor"]);
  });
});
