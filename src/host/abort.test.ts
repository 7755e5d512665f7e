import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createAssistantMessageEventStream } from "../extensions/index.ts";
import {
  addTool,
  type Hosted,
  type HostedOptions,
  hosted,
  never,
  next,
  resultTexts,
  returns,
  storedMessages,
  testProject,
  text,
  unansweredCalls,
  until,
} from "./test-kit/index.ts";

const project = testProject();
const run = (options: HostedOptions) => hosted({ cwd: project.root, ...options });

/** Prompts, aborts when it is time, and checks what holds after every abort. */
async function abortWhen(host: Hosted, isTime: () => boolean): Promise<void> {
  const { agent, of } = host;
  const prompting = agent.prompt("go");
  await until("it is time to abort", isTime);
  await returns("abort", agent.abort());
  expect(agent.isIdle).toBe(true);
  await returns("prompt", prompting);
  expect(of("agent_settled")).toMatchObject([{ aborted: true }]);
  expect(of("agent_end")).toHaveLength(1);
  expect(unansweredCalls(agent)).toEqual([]);
  expect(agent.lastError).toBeUndefined();
}

describe("an abort", () => {
  it("during the stream keeps what was said so far", async () => {
    const host = await run({ turns: [{ text: "abcdefgh", chunkSize: 1, delayMs: 20 }] });
    await abortWhen(host, () => host.of("message_update").length > 3);
    const [, answer] = storedMessages(host.agent);
    expect(answer).toMatchObject({ role: "assistant", stopReason: "aborted" });
    const [said] = answer?.role === "assistant" ? answer.content : [];
    expect(said?.type === "text" && "abcdefgh".startsWith(said.text) && said.text).toBeTruthy();
  });

  it("in the middle of a tool call's arguments does not make the call", async () => {
    const ran: string[] = [];
    const host = await run({
      turns: [
        { toolCalls: [{ name: "t", arguments: { a: "x".repeat(50) } }], chunkSize: 5, delayMs: 10 },
      ],
      extend: (pi) => addTool(pi, "t", async () => text(String(ran.push("t")))),
    });
    await abortWhen(host, () => host.of("message_update").length > 3);
    expect(ran).toEqual([]);
  });

  it("before the model said anything", async () => {
    const host = await run({ turns: [{ text: "late", delayMs: 60_000 }] });
    await abortWhen(host, () => host.of("after_provider_response").length > 0);
    expect(storedMessages(host.agent).map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  it("during a command: its process is gone", async () => {
    const host = await run({
      turns: [{ toolCalls: [{ name: "bash", arguments: { command: "echo $$ > pid; sleep 60" } }] }],
    });
    const { readFileSync } = await import("node:fs");
    const pid = () => {
      try {
        return Number(readFileSync(`${project.root}/pid`, "utf8")) || undefined;
      } catch {
        return undefined;
      }
    };
    await abortWhen(host, () => pid() !== undefined);
    const isAlive = () => {
      try {
        return process.kill(pid() ?? 0, 0);
      } catch {
        return false;
      }
    };
    await until("the process is gone", () => !isAlive());
    expect(resultTexts(host.agent)[0]).toContain("aborted");
  });

  it("while it waits to try again", async () => {
    const host = await run({
      turns: [{ error: { message: "busy", status: 529 } }],
      retry: { baseDelayMs: 60_000 },
    });
    await abortWhen(host, () => host.of("auto_retry_start").length > 0);
    expect(host.of("auto_retry_end")).toMatchObject([{ success: false, attempt: 1 }]);
    expect(host.requests).toHaveLength(1);
  });

  it("during an automatic compaction: the session goes on afterwards", async () => {
    const host = await run({
      turns: [
        { error: { message: "prompt is too long", status: 400 } },
        { text: "a summary", delayMs: 60_000 },
        { text: "here again" },
      ],
      compaction: { keepRecentTokens: 1 },
    });
    host.agent.session.appendMessage({ role: "user", content: "long ago", timestamp: 1 });
    await abortWhen(host, () => host.requests.length === 2);
    expect(host.of("auto_compaction_end")).toMatchObject([{ aborted: true, willRetry: false }]);
    expect(host.of("session_compact_failed")).toMatchObject([{ aborted: true }]);
    await returns("the next prompt", host.agent.prompt("and now?"));
    expect(storedMessages(host.agent).at(-1)).toMatchObject({ stopReason: "stop" });
  });

  it("during a compaction that was asked for", async () => {
    const host = await run({
      turns: [{ text: "one" }, { text: "a summary", delayMs: 60_000 }],
      compaction: { keepRecentTokens: 1 },
    });
    await host.agent.prompt("first");
    const compacting = host.agent.compact();
    await until("the summary is asked for", () => host.requests.length === 2);
    await returns("abort", host.agent.abort());
    expect(await returns("compact", compacting)).toMatchObject({ aborted: true });
    expect(host.agent.session.getEntries()).toHaveLength(2);
  });

  it("during the summary of a branch that is left: nothing moves", async () => {
    const host = await run({ turns: [{ text: "one" }, { text: "a summary", delayMs: 60_000 }] });
    await host.agent.prompt("first");
    const [first, leaf] = host.agent.session.getEntries();
    const moving = host.agent.navigateTree(first?.id ?? "", { summarize: true });
    await until("the summary is asked for", () => host.requests.length === 2);
    await returns("abort", host.agent.abort());
    expect(await returns("navigateTree", moving)).toEqual({ cancelled: true });
    expect(host.agent.session.getLeafId()).toBe(leaf?.id);
  });

  it("in a tool that ignores its signal", async () => {
    const host = await run({
      turns: [{ toolCalls: [{ name: "deaf" }] }],
      extend: (pi) => addTool(pi, "deaf", () => never()),
    });
    await abortWhen(host, () => host.of("tool_admit").length > 0);
    expect(resultTexts(host.agent)).toEqual(["The work was aborted."]);
  });

  it("in one of several tools: the others keep their results, those not begun do not begin", async () => {
    const ran: string[] = [];
    const host = await run({
      turns: [{ toolCalls: [{ name: "quick" }, { name: "deaf" }, { name: "later" }] }],
      extend: (pi) => {
        const mode = { executionMode: "sequential" as const };
        addTool(pi, "quick", async () => text("quick"), mode);
        addTool(pi, "deaf", () => never(), mode);
        addTool(pi, "later", async () => text(String(ran.push("later"))), mode);
      },
    });
    await abortWhen(host, () => host.of("tool_admit").length === 2);
    expect(resultTexts(host.agent)).toEqual([
      "quick",
      "The work was aborted.",
      expect.stringContaining("not made"),
    ]);
    expect(ran).toEqual([]);
  });

  it("while the last of several calls is asked about: none of them runs", async () => {
    const ran: string[] = [];
    const host = await run({
      turns: [{ toolCalls: [{ name: "a" }, { name: "b" }] }],
      extend: (pi) => {
        for (const name of ["a", "b"]) {
          addTool(pi, name, async () => text(String(ran.push(name))));
        }
      },
      on: { tool_call: ({ toolName }) => (toolName === "b" ? never<undefined>() : undefined) },
    });
    await abortWhen(host, () => host.of("tool_call").length === 2);
    expect(ran).toEqual([]);
  });

  it("in a provider whose stream never yields", async () => {
    const host = await run({
      extend: (pi) =>
        pi.registerProvider("mute", {
          api: "mute",
          apiKey: "k",
          baseUrl: "http://localhost",
          streamSimple: () => createAssistantMessageEventStream(),
          models: [
            {
              id: "m",
              name: "M",
              reasoning: false,
              input: ["text"],
              cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              contextWindow: 1_000,
              maxTokens: 100,
            },
          ],
        }),
    });
    const model = host.models.find("mute", "m");
    expect(model && (await host.agent.setModel(model))).toBe(true);
    await abortWhen(host, () => host.requests.length > 0);
  });

  it("in a stream that neither yields nor listens", async () => {
    const host = await run({});
    let asked = false;
    host.models.stream = () => {
      asked = true;
      return { [Symbol.asyncIterator]: () => ({ next: () => never() }), result: () => never() };
    };
    await abortWhen(host, () => asked);
    expect(storedMessages(host.agent).at(-1)).toMatchObject({ stopReason: "aborted" });
  });

  it("by an extension's ctx.abort() in the middle of a turn", async () => {
    const { agent, of } = await run({
      turns: [{ toolCalls: [{ name: "ls" }] }, { text: "not reached" }],
      on: { tool_result: (_event, ctx) => ctx.abort() },
    });
    await returns("prompt", agent.prompt("go"));
    expect(of("agent_settled")).toMatchObject([{ aborted: true }]);
    expect(unansweredCalls(agent)).toEqual([]);
  });

  it("stops for good: what was queued waits for the next prompt", async () => {
    const host = await run({
      turns: [{ text: "slow", delayMs: 60_000 }, { text: "one" }, { text: "two" }],
    });
    const { agent } = host;
    const prompting = agent.prompt("go");
    await until("the model is asked", () => host.requests.length === 1);
    await agent.steer("and this");
    await returns("abort", agent.abort());
    await returns("prompt", prompting);
    await sleep(5);
    expect(host.requests).toHaveLength(1);
    expect(agent.queue.list()).toHaveLength(1);
    await agent.prompt("go on");
    expect(agent.queue.size).toBe(0);
    expect(host.requests).toHaveLength(3);
  });

  it("of an idle agent does nothing", async () => {
    const { agent, of } = await run({ turns: [{ text: "fine" }] });
    await returns("abort", agent.abort());
    await agent.prompt("go");
    expect(of("agent_settled")).toMatchObject([{ aborted: false }]);
  });
});

describe("the end of the agent", () => {
  it("in the middle of its work: all is saved, extensions are told, nothing runs any more", async () => {
    const host = await run({ turns: [{ text: "slow", delayMs: 60_000 }] });
    const prompting = host.agent.prompt("go");
    await until("the model is asked", () => host.requests.length === 1);
    const shutdown = next(host.agent, "session_shutdown");
    await returns("dispose", host.agent.dispose());
    await shutdown;
    await returns("prompt", prompting);
    expect(storedMessages(host.agent)).toHaveLength(2);
    expect(() => host.pi.getActiveTools()).toThrow(/stale|session/i);
  });
});
