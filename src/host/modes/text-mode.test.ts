import { describe, expect, it } from "vitest";
import { SessionTree } from "../session/index.ts";
import { type HostedOptions, hosted, testProject } from "../test-kit/index.ts";
import { runText } from "./text-mode.ts";

const project = testProject();

async function print(options: HostedOptions, prompt = "go") {
  const { agent } = await hosted({ cwd: project.root, ...options });
  const out: string[] = [];
  const notes: string[] = [];
  const problems: string[] = [];
  const ok = await runText(
    agent,
    { text: prompt },
    {
      out: (text) => out.push(text),
      note: (text) => notes.push(text),
      problem: (text) => problems.push(text),
    },
  );
  return { ok, out, notes, problems };
}

describe("text mode", () => {
  it("writes the answer piece by piece, and ends the line", async () => {
    const { ok, out } = await print({ turns: [{ text: "abcdef", chunkSize: 2 }] });
    expect(out).toEqual(["ab", "cd", "ef", "\n"]);
    expect(ok).toBe(true);
  });

  it("never writes half a character", async () => {
    const { out } = await print({ turns: [{ text: "a👍🏽b👍", chunkSize: 2 }] });
    expect(out.join("")).toBe("a👍🏽b👍\n");
    expect(out.filter((piece) => Buffer.from(piece).toString() !== piece)).toEqual([]);
  });

  it("keeps what is said between tools apart, and notes the calls", async () => {
    const { out, notes } = await print({
      turns: [
        { thinking: "hmm", text: "Looking", toolCalls: [{ name: "ls", arguments: { path: "." } }] },
        { text: "Found\n" },
      ],
    });
    expect(out.join("")).toBe("Looking\nFound\n");
    expect(notes).toEqual(['ls {"path":"."}']);
  });

  it("notes what was stopped, by whom and why", async () => {
    const { notes } = await print({
      turns: [
        { toolCalls: [{ name: "bash", arguments: { command: "rm -rf ." } }] },
        { text: "Ok." },
      ],
      on: { tool_call: () => ({ block: true, reason: "deletes whole folders." }) },
    });
    expect(notes.at(-1)).toMatch(/^bash was stopped by \S+: deletes whole folders\.$/);
  });

  it.each([
    ["an error", { error: { message: "invalid key", status: 401 } }, "HTTP 401: invalid key"],
    ["an abort", { text: "x", stopReason: "aborted" as const }, "script"],
  ])("fails after %s and says why", async (_, turn, problem) => {
    const { ok, problems } = await print({ turns: [turn] });
    expect(ok).toBe(false);
    expect(problems.at(-1)).toContain(problem);
  });

  it.each([
    ["an empty text", { content: [{ text: "" }] }],
    ["thoughts only", { thinking: "hmm" }],
  ])("fails when the answer is %s", async (_, turn) => {
    const { ok, problems } = await print({ turns: [turn] });
    expect({ ok, problems }).toEqual({ ok: false, problems: ["The model gave no answer."] });
  });

  it("succeeds when there is nothing to add to what was done", async () => {
    const { ok } = await print({
      turns: [{ toolCalls: [{ name: "ls" }] }, { thinking: "That is all." }],
    });
    expect(ok).toBe(true);
  });

  it("succeeds when the model was not asked: a command", async () => {
    const extend: HostedOptions["extend"] = (pi) =>
      pi.registerCommand("hello", { handler: () => {} });
    expect(await print({ extend }, "/hello")).toMatchObject({ ok: true, problems: [] });
  });

  it("succeeds when a later attempt does, and says what it waits for", async () => {
    const { ok, problems } = await print({
      turns: [{ error: { message: "busy", status: 529 } }, { text: "fine" }],
    });
    expect(ok).toBe(true);
    expect(problems).toEqual([expect.stringContaining("busy")]);
  });

  it("begins a new line after an answer that broke off", async () => {
    const { out, problems } = await print({
      turns: [
        { text: "half a message", error: { message: "cut", status: 529, after: 11 } },
        { text: "whole" },
      ],
    });
    expect(out.join("")).toBe("half a mess\nwhole\n");
    expect(problems).toEqual([expect.stringContaining("cut")]);
  });

  it("says which rule stopped an answer, and begins a new line", async () => {
    project.write(".seam/rules/any.md", "---\nname: no-any\ncondition: 'as any'\n---\nNever.");
    const { ok, out, problems } = await print({
      turns: [{ text: "x as any; y", chunkSize: 8 }, { text: "x" }],
    });
    expect(out.join("")).toBe("x as any\nx\n");
    expect(problems).toEqual([
      "The answer was stopped by the rule no-any. The model is told and tries again.",
    ]);
    expect(ok).toBe(true);
  });

  it("fails when the session cannot be written", async () => {
    const session = new SessionTree({
      cwd: project.root,
      onAppend: () => {
        throw new Error("ENOSPC");
      },
    });
    expect((await print({ session, turns: [{ text: "x" }] })).ok).toBe(false);
  });

  it("succeeds silently when an extension handled the prompt", async () => {
    const { ok, out } = await print({ on: { input: () => ({ action: "handled" }) } });
    expect(ok).toBe(true);
    expect(out).toEqual([]);
  });
});
