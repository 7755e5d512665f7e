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
  const ok = await runText(agent, prompt, {
    out: (text) => out.push(text),
    note: (text) => notes.push(text),
    problem: (text) => problems.push(text),
  });
  return { ok, out, notes, problems };
}

describe("text mode", () => {
  it("writes the answer piece by piece, and ends the line", async () => {
    const { ok, out } = await print({ turns: [{ text: "abcdef", chunkSize: 2 }] });
    expect(out).toEqual(["ab", "cd", "ef", "\n"]);
    expect(ok).toBe(true);
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

  it.each([
    ["an error", { error: { message: "invalid key", status: 401 } }, "HTTP 401: invalid key"],
    ["an abort", { text: "x", stopReason: "aborted" as const }, "script"],
  ])("fails after %s and says why", async (_, turn, problem) => {
    const { ok, problems } = await print({ turns: [turn] });
    expect(ok).toBe(false);
    expect(problems.at(-1)).toContain(problem);
  });

  it("succeeds when a later attempt does, and says what it waits for", async () => {
    const { ok, problems } = await print({
      turns: [{ error: { message: "busy", status: 529 } }, { text: "fine" }],
    });
    expect(ok).toBe(true);
    expect(problems).toEqual([expect.stringContaining("busy")]);
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
