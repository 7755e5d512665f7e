import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ToolReading } from "../../agents/index.ts";
import { questionedCall } from "./questioned-call.ts";

const PATCH = { patch: "*** Begin Patch …" };
const tool = (name: string, input: Record<string, unknown>): ToolReading => ({
  name,
  nativeName: name,
  input,
  nativeInput: PATCH,
  callId: "c",
});

it("a command is shown as it would run, after all changes", () => {
  const bash = tool("bash", { command: "rm x" });
  expect(questionedCall([bash], [])).toEqual({ tool: "bash", input: { command: "rm x" } });
  const changed = [{ index: 0, input: { command: "ls" }, by: ["gate"] }];
  expect(questionedCall([bash], changed)?.input).toEqual({ command: "ls" });
});

it("a file that is written is compared with what it would replace", () => {
  const cwd = mkdtempSync(join(tmpdir(), "call-"));
  writeFileSync(join(cwd, "a.txt"), "one\ntwo\n");
  const call = questionedCall([tool("write", { path: "a.txt", content: "one\n2\n" })], [], cwd);
  expect(call?.diff).toMatch(/^--- a\.txt\n\+\+\+ a\.txt\n/);
  expect(call?.diff).toMatch(/-\s*2 two/);
  expect(call?.diff).toMatch(/\+\s*2 2/);
});

it("of a call that touches several files all are shown, and no single path stands for it", () => {
  const call = questionedCall(
    [
      tool("edit", { path: "a.txt", edits: [{ oldText: "1", newText: "2" }] }),
      tool("edit", { path: "settings.json", change: "delete" }),
      tool("write", { path: "huge.txt", content: "x".repeat(300_000) }),
    ],
    [],
  );
  expect(call?.input).toEqual({ ...PATCH, paths: ["a.txt", "settings.json", "huge.txt"] });
  expect(call?.diff).toContain("--- a.txt");
  expect(call?.diff).toContain("delete settings.json");
  expect(call?.diff).toContain("a change of 300000 characters, too much to be shown here");
});
