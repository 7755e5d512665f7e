import { readFileSync } from "node:fs";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import type { SessionEntry } from "../../events/index.ts";
import { SessionFile } from "../session/index.ts";
import {
  addTool,
  type Handlers,
  type Hosted,
  hosted,
  never,
  returns,
  storedResults,
  testProject,
  text,
  until,
} from "../test-kit/index.ts";

const project = testProject();

type Path = {
  /** What the model says; by default it calls `add`. */
  readonly call?: { name?: string; arguments?: Record<string, unknown>; malformed?: string };
  readonly stopReason?: "length" | "error";
  readonly on?: Handlers;
  readonly execute?: () => unknown;
  /** Abort as soon as this is so. */
  readonly abortOnce?: (host: Hosted) => boolean;
  readonly result: RegExp;
  readonly isError: boolean;
};

const boom = () => {
  throw new Error("boom");
};

const PATHS: Record<string, Path> = {
  normal: { result: /^added$/, isError: false },
  "blocked by tool_call": {
    on: { tool_call: () => ({ block: true, reason: "no" }) },
    result: /^no$/,
    isError: true,
  },
  "blocked by tool_admit": {
    on: { tool_admit: () => ({ block: true, reason: "no" }) },
    result: /^no$/,
    isError: true,
  },
  "blocked because a gate broke": { on: { tool_call: boom }, result: /boom/, isError: true },
  "an error that was thrown": { execute: boom, result: /^boom$/, isError: true },
  "a result that is none": { execute: async () => ({}), result: /cannot be used/, isError: true },
  "a changed result": {
    on: { tool_result: () => ({ content: [{ type: "text", text: "other" }] }) },
    result: /^other$/,
    isError: false,
  },
  "invalid arguments": { call: { arguments: { n: [] } }, result: /are wrong/, isError: true },
  "an unknown tool": { call: { name: "nope" }, result: /no tool/, isError: true },
  "malformed JSON": { call: { malformed: "{" }, result: /not valid JSON/, isError: true },
  "an answer that was cut off": { stopReason: "length", result: /cut off/, isError: true },
  "an answer that broke off": { stopReason: "error", result: /broke off/, isError: true },
  "aborted before it started": {
    on: { tool_call: () => never<undefined>() },
    abortOnce: ({ of }) => of("tool_call").length > 0,
    result: /aborted/,
    isError: true,
  },
  "aborted while it ran": {
    execute: () => never(),
    abortOnce: ({ of }) => of("tool_admit").length > 0,
    result: /aborted/,
    isError: true,
  },
};

/** The file's entries of tool results, read anew. */
function resultsOnDisk(file: string): string[] {
  const lines = readFileSync(file, "utf8").trim().split("\n").slice(1);
  const entries: SessionEntry[] = lines.map((line) => JSON.parse(line));
  return entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "toolResult"
      ? [entry.message.toolCallId]
      : [],
  );
}

async function follow({ call = {}, stopReason, on = {}, execute, abortOnce }: Path) {
  const session = SessionFile.create({ cwd: project.root, dir: project.home });
  const file = session.getSessionFile() ?? "";
  const onDisk: Record<"before" | "after", string[][]> = { before: [], after: [] };
  const malformed = call.malformed;
  const args = malformed === undefined ? { arguments: { n: 1, ...call.arguments } } : { malformed };
  const host = await hosted({
    cwd: project.root,
    session,
    turns: [
      {
        toolCalls: [{ name: call.name ?? "add", ...args }],
        ...(stopReason && { stopReason }),
      },
      { text: "done" },
    ],
    on: {
      ...on,
      before_tool_call_persist: () => void onDisk.before.push(resultsOnDisk(file)),
      after_tool_call_persist: () => void onDisk.after.push(resultsOnDisk(file)),
    },
    extend: (pi) =>
      addTool(pi, "add", execute ?? (async () => text("added", { details: { sum: 2 } })), {
        parameters: Type.Object({ n: Type.Number() }),
      }),
  });
  const done = host.agent.prompt("go");
  if (abortOnce) {
    await until("it is time to abort", () => abortOnce(host));
    await returns("abort", host.agent.abort());
  }
  await returns("prompt", done);
  return { ...host, onDisk };
}

describe.each(Object.entries(PATHS))("the persist pair of %s", (_, path) => {
  it("comes before and after the result is in the file, with every field filled", async () => {
    const { agent, of, onDisk } = await follow(path);
    const [stored, ...more] = storedResults(agent);
    expect(more).toEqual([]);
    expect(stored?.isError).toBe(path.isError);
    expect(stored?.content).toMatchObject([{ text: expect.stringMatching(path.result) }]);

    const answer = agent.session
      .getEntries()
      .find((entry) => entry.type === "message" && entry.message.role === "assistant");
    const fields = {
      sessionKey: agent.session.getSessionId(),
      agentId: "seam",
      toolName: path.call?.name ?? "add",
      toolCallId: stored?.toolCallId,
      messageId: answer?.id,
    };
    const before = of("before_tool_call_persist");
    const after = of("after_tool_call_persist");
    expect(before).toMatchObject([fields]);
    expect(before[0]).not.toHaveProperty("toolResult");
    expect(after).toMatchObject([fields]);
    if (!path.call?.malformed) {
      expect(before[0]?.toolInput).toEqual({ n: 1, ...path.call?.arguments });
    } else expect(before[0]?.toolInput).toBeDefined();
    expect(after[0]?.toolInput).toEqual(before[0]?.toolInput);
    const { content, isError } = stored ?? {};
    expect(after[0]?.toolResult).toMatchObject({ content, isError });
    expect(onDisk.before).toEqual([[]]);
    expect(onDisk.after).toEqual([[stored?.toolCallId]]);
  });
});

describe("before a result is written", () => {
  async function wait(before: (signal: AbortSignal) => Promise<void>, deadlineMs?: number) {
    const session = SessionFile.create({ cwd: project.root, dir: project.home });
    const file = session.getSessionFile() ?? "";
    const seen: string[][] = [];
    const host = await hosted({
      cwd: project.root,
      session,
      turns: [{ toolCalls: [{ name: "add", arguments: { n: 1 } }] }, { text: "done" }],
      extend: (pi) => {
        addTool(pi, "add", async () => text("added"), {
          parameters: Type.Object({ n: Type.Number() }),
        });
        const options = deadlineMs === undefined ? {} : { deadlineMs };
        pi.on(
          "before_tool_call_persist",
          async () => {
            await before(new AbortController().signal);
            seen.push(resultsOnDisk(file));
          },
          options,
        );
      },
    });
    return { ...host, seen };
  }

  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  it("whoever wants to know of it is waited for", async () => {
    const { agent, seen } = await wait(() => sleep(50));
    await returns("prompt", agent.prompt("go"));
    expect(seen).toEqual([[]]);
    expect(storedResults(agent)).toHaveLength(1);
  });

  it("a handler that never returns holds it back until its deadline", async () => {
    const { agent, seen } = await wait(() => never(), 150);
    await returns("prompt", agent.prompt("go"));
    expect(seen).toEqual([]);
    expect(storedResults(agent)).toHaveLength(1);
  });

  it("a handler that never returns does not hold back an abort, and the result is kept", async () => {
    const { agent, of } = await wait(() => never());
    const done = agent.prompt("go");
    await until("the handler waits", () => of("before_tool_call_persist").length > 0);
    await returns("abort", agent.abort());
    await returns("prompt", done);
    expect(storedResults(agent)).toHaveLength(1);
  });
});

describe("the persist pair", () => {
  it("carries what ran, and what the model wanted if an extension changed it", async () => {
    const ran: unknown[] = [];
    const host = await hosted({
      cwd: project.root,
      turns: [
        {
          toolCalls: [
            { name: "add", arguments: { n: 1 } },
            { name: "add", arguments: { n: "2" } },
          ],
        },
        { text: "done" },
      ],
      on: { tool_call: ({ input }) => (input.n === 1 ? { input: { n: 10 } } : undefined) },
      extend: (pi) =>
        addTool(
          pi,
          "add",
          async (_id, params) => {
            ran.push({ ...(params as object) });
            Object.assign(params as object, { n: "spoilt" });
            return text("added");
          },
          { parameters: Type.Object({ n: Type.Number() }) },
        ),
    });
    await host.agent.prompt("go");
    expect(ran).toEqual([{ n: 10 }, { n: 2 }]);
    for (const name of ["before_tool_call_persist", "after_tool_call_persist"] as const) {
      const [first, second] = host.of(name);
      expect(first).toMatchObject({ toolInput: { n: 10 }, originalInput: { n: 1 } });
      expect(second).toMatchObject({ toolInput: { n: 2 } });
      expect(second).not.toHaveProperty("originalInput");
    }
  });

  it("comes once for every result of an answer with many calls, in their order", async () => {
    const names = ["add", "nope", "add"];
    const host = await hosted({
      cwd: project.root,
      turns: [{ toolCalls: names.map((name) => ({ name, arguments: {} })) }, { text: "done" }],
      extend: (pi) => addTool(pi, "add", async () => text("added")),
    });
    await host.agent.prompt("go");
    const stored = storedResults(host.agent).map(({ toolCallId }) => toolCallId);
    expect(stored).toHaveLength(3);
    for (const name of ["before_tool_call_persist", "after_tool_call_persist"] as const) {
      expect(host.of(name).map(({ toolCallId }) => toolCallId)).toEqual(stored);
    }
  });

  it("a handler that throws does not keep the result from being stored", async () => {
    const host = await hosted({
      cwd: project.root,
      turns: [{ toolCalls: [{ name: "ls" }] }, { text: "done" }],
      on: { before_tool_call_persist: boom, after_tool_call_persist: boom },
    });
    await host.agent.prompt("go");
    expect(storedResults(host.agent)).toHaveLength(1);
    expect(host.agent.extensions.problems.map(({ error }) => error.code)).toEqual([
      "SEAM_HANDLER_THREW",
      "SEAM_HANDLER_THREW",
    ]);
  });
});
