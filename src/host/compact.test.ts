import { describe, expect, it } from "vitest";
import type { ScriptedTurn } from "./models/index.ts";
import {
  type HostedOptions,
  hosted,
  storedMessages,
  testProject,
  textsOf,
  until,
} from "./test-kit/index.ts";

const project = testProject();
/** Only the last exchange of short messages is kept. */
const compaction = { keepRecentTokens: 3, reserveTokens: 100 };
const model = { contextWindow: 1_000 };

const start = (turns: readonly ScriptedTurn[], options: HostedOptions = {}) =>
  hosted({
    cwd: project.root,
    turns,
    model,
    ...options,
    compaction: { ...compaction, ...options.compaction },
  });

const full = { input: 950, output: 1 };
const SUMMARY = { text: "what happened before" };
const typesIn = (agent: Awaited<ReturnType<typeof start>>["agent"]) =>
  agent.session.getEntries().map(({ type }) => type);

describe("a compaction that was asked for", () => {
  it("puts a summary where the older part of the conversation was", async () => {
    const host = await start([{ text: "one" }, { text: "two" }, SUMMARY, { text: "three" }]);
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    const outcome = await host.agent.compact();
    const kept = host.agent.session.getEntries()[2]?.id;
    expect(outcome.result).toMatchObject({ summary: SUMMARY.text, firstKeptEntryId: kept });
    expect(outcome.result?.tokensBefore).toBeGreaterThan(0);
    expect(host.of("session_compact")).toMatchObject([
      { fromExtension: false, compactionEntry: { type: "compaction", summary: SUMMARY.text } },
    ]);
    await host.agent.prompt("third");
    const [summary, ...rest] = textsOf(host.requests.at(-1)?.messages);
    expect(summary).toContain(SUMMARY.text);
    expect(rest).toEqual(["second", "two", "third"]);
    // Nothing is thrown away.
    expect(textsOf(storedMessages(host.agent)).slice(0, 2)).toEqual(["first", "one"]);
  });

  it("says so if there is nothing to compact, and asks nobody", async () => {
    const host = await start([]);
    expect(await host.agent.compact()).toMatchObject({ skipped: true });
    expect(host.requests).toEqual([]);
    expect(host.of("session_before_compact")).toEqual([]);
  });

  it("by an extension: tells it how it ended", async () => {
    const ended: string[] = [];
    const host = await start([{ text: "one" }, { text: "two" }, SUMMARY], {
      extend: (pi) =>
        pi.registerCommand("shrink", {
          handler: (_args, ctx) =>
            ctx.compact({
              onComplete: ({ summary }) => ended.push(summary),
              onError: ({ message }) => ended.push(`failed: ${message}`),
            }),
        }),
    });
    await host.agent.prompt("/shrink");
    await until("it failed", () => ended.length === 1);
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    await host.agent.prompt("/shrink");
    await until("it worked", () => ended.length === 2);
    expect(ended).toEqual([expect.stringMatching(/^failed: .*nothing/), SUMMARY.text]);
  });

  it("that fails is said, and the session goes on as it was", async () => {
    const host = await start([
      { text: "one" },
      { text: "two" },
      { error: { message: "no", status: 400 } },
      { text: "three" },
    ]);
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    expect((await host.agent.compact()).error).toContain("no");
    expect(host.of("session_compact_failed")).toMatchObject([
      { reason: "manual", aborted: false, willRetry: false, errorMessage: expect.any(String) },
    ]);
    await host.agent.prompt("third");
    expect(textsOf(host.requests.at(-1)?.messages)).toEqual([
      "first",
      "one",
      "second",
      "two",
      "third",
    ]);
  });

  it("is one at a time", async () => {
    const host = await start([{ text: "one" }, { text: "two" }, { ...SUMMARY, delayMs: 20 }]);
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    const [first, second] = await Promise.all([host.agent.compact(), host.agent.compact()]);
    expect(first.result).toBeDefined();
    expect(second).toMatchObject({ skipped: true });
    expect(typesIn(host.agent).filter((type) => type === "compaction")).toHaveLength(1);
  });
});

describe("a context that has grown too long", () => {
  it("is compacted after the answer that shows it", async () => {
    const host = await start([{ text: "one" }, { text: "two", usage: full }, SUMMARY]);
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    expect(host.of("auto_compaction_start")).toMatchObject([
      { reason: "threshold", action: "context-full" },
    ]);
    expect(host.of("auto_compaction_end")).toMatchObject([
      { aborted: false, willRetry: false, result: { summary: SUMMARY.text, tokensBefore: 951 } },
    ]);
    expect(host.of("agent_settled")).toHaveLength(2);
    const order = host.seen.map(({ type }) => type);
    expect(order.lastIndexOf("auto_compaction_end")).toBeLessThan(
      order.lastIndexOf("agent_settled"),
    );
  });

  it("is compacted between two rounds, and the next request starts with the summary", async () => {
    const host = await start([
      { text: "one" },
      { toolCalls: [{ name: "ls" }], usage: full },
      SUMMARY,
      { text: "two" },
    ]);
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    expect(host.of("auto_compaction_start")).toMatchObject([{ reason: "threshold" }]);
    expect(textsOf(host.requests.at(-1)?.messages)[0]).toContain(SUMMARY.text);
    expect(host.requests.at(-1)?.messages.map(({ role }) => role)).toContain("toolResult");
  });

  it("is left alone when compaction is switched off", async () => {
    const host = await start([{ text: "one" }, { text: "two", usage: full }], {
      compaction: { enabled: false },
    });
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    expect(host.of("auto_compaction_start")).toEqual([]);
    expect(typesIn(host.agent)).not.toContain("compaction");
  });
});

describe("a context the provider refuses", () => {
  const overflow: ScriptedTurn = { error: { message: "prompt is too long", status: 400 } };

  it("is compacted and sent again", async () => {
    const host = await start([{ text: "one" }, overflow, SUMMARY, { text: "two" }]);
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    expect(host.of("auto_compaction_start")).toMatchObject([{ reason: "overflow" }]);
    expect(host.of("auto_compaction_end")).toMatchObject([{ willRetry: true }]);
    const [summary, ...rest] = textsOf(host.requests.at(-1)?.messages);
    expect(summary).toContain(SUMMARY.text);
    expect(rest).not.toContain("first");
    expect(rest.at(-1)).toBe("second");
    expect(textsOf(storedMessages(host.agent)).at(-1)).toBe("two");
  });

  it("is not sent a third time when nothing is left that could go", async () => {
    const host = await start([{ text: "one" }, overflow, SUMMARY, overflow, { text: "no" }]);
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    expect(host.of("auto_compaction_end")).toMatchObject([
      { willRetry: true },
      { willRetry: false, skipped: true },
    ]);
    expect(host.requests).toHaveLength(4);
    expect(storedMessages(host.agent).at(-1)).toMatchObject({ stopReason: "error" });
  });

  it("is compacted further if that was not enough", async () => {
    // By the estimate all of it is a tenth of the window.
    const questions = ["a", "b", "c"].map((name) => name.repeat(100));
    const answers = questions.map(() => ({ text: "ok" }));
    const turns = [...answers, overflow, SUMMARY, overflow, SUMMARY, { text: "two" }];
    const host = await start(turns, { compaction: { keepRecentTokens: 450 } });
    for (const question of questions) await host.agent.prompt(question);
    await host.agent.prompt("last");
    expect(host.of("auto_compaction_end")).toMatchObject([
      { willRetry: true },
      { willRetry: true },
    ]);
    const [whole = [], some = [], fewer = []] = [3, 5, 7].map((at) =>
      textsOf(host.requests[at]?.messages),
    );
    expect(whole.length).toBeGreaterThan(some.length);
    expect(some.length).toBeGreaterThan(fewer.length);
    expect([whole.at(-1), some.at(-1), fewer.at(-1)]).toEqual(["last", "last", "last"]);
    expect(textsOf(storedMessages(host.agent)).at(-1)).toBe("two");
  });

  it("when the compaction fails as well, the turn ends with the error", async () => {
    const host = await start([
      { text: "one" },
      overflow,
      { error: { message: "no", status: 400 } },
    ]);
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    expect(host.of("session_compact_failed")).toMatchObject([{ reason: "overflow" }]);
    expect(host.of("auto_compaction_end")).toMatchObject([
      { willRetry: false, errorMessage: expect.any(String) },
    ]);
    expect(host.of("agent_settled").at(-1)).toMatchObject({ aborted: false });
    expect(host.agent.lastError).toBeUndefined();
  });
});

describe("an answer that was cut off", () => {
  it("is made room for and asked for again, once", async () => {
    const cut: ScriptedTurn = { text: "half", stopReason: "length" };
    const host = await start([{ text: "one" }, cut, SUMMARY, cut, { text: "never" }]);
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    expect(host.of("auto_compaction_start")).toMatchObject([{ reason: "incomplete" }]);
    expect(host.requests).toHaveLength(4);
  });
});

describe("an agent that is left alone", () => {
  const idle = { idleMs: 5 };

  it("compacts a context that is half full", async () => {
    const half = { input: 600, output: 1 };
    const turns = [{ text: "one" }, { text: "two", usage: half }, SUMMARY];
    const host = await start(turns, { compaction: idle });
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    await until("it is compacted", () => host.of("auto_compaction_end").length === 1);
    expect(host.of("auto_compaction_start")).toMatchObject([{ reason: "idle" }]);
    expect(typesIn(host.agent)).toContain("compaction");
  });

  it("leaves a short one as it is", async () => {
    const host = await start([{ text: "one" }, { text: "two" }], { compaction: idle });
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(host.of("auto_compaction_start")).toEqual([]);
  });
});

describe("how full the context is", () => {
  it("can be asked by extensions", async () => {
    const usages: unknown[] = [];
    const host = await start([{ text: "one", usage: { input: 90, output: 10 } }], {
      on: { turn_end: (_event, ctx) => void usages.push(ctx.getContextUsage()) },
    });
    await host.agent.prompt("first");
    expect(usages).toEqual([{ tokens: 100, contextWindow: 1_000, percent: 10 }]);
  });
});
