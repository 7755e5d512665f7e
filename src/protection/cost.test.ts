import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, expect, it, vi } from "vitest";
import { Protection } from "./protection.ts";

// Files of tests share processes, so a mocked module would come too late for what is loaded already.
function counting(...names: readonly ("readFileSync" | "readdirSync")[]) {
  const spies = names.map((name) => vi.spyOn(fs, name));
  syncBuiltinESMExports();
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it("the places are looked for with the first call that may write", () => {
  const followed = vi.spyOn(fs.realpathSync, "native");
  const protection = new Protection();
  const look = [
    { name: "read", input: { path: ".seam/settings.json" } },
    { name: "mcp__db__query", input: { sql: "select 1" } },
  ];
  expect(protection.against(look, process.cwd())).toBeUndefined();
  expect(followed).not.toHaveBeenCalled();
  protection.against([{ name: "write", input: { path: "a.ts" } }], process.cwd());
  expect(followed).toHaveBeenCalled();
});

it("calls that write nowhere near Seam's places read no file", () => {
  const protection = new Protection();
  const calls = [
    { name: "write", input: { path: "src/a.ts", content: "~/.seam/settings.json" } },
    { name: "edit", input: { path: "/home/dev/app/deep/b.ts", edits: [] } },
    {
      name: "bash",
      input: { command: "npm test 2>&1 | tee out.log; rm -rf dist; git commit -m x" },
    },
    { name: "read", input: { path: ".seam/settings.json" } },
    { name: "mcp__db__query", input: { sql: "select 1" } },
  ];
  protection.against(calls, process.cwd());
  const readFiles = counting("readFileSync", "readdirSync");
  for (let i = 0; i < 100; i++) expect(protection.against(calls, process.cwd())).toBeUndefined();
  expect(readFiles()).toBe(0);
  protection.against([{ name: "bash", input: { command: "rm -r *.seam" } }], process.cwd());
  expect(readFiles()).toBeGreaterThan(0);
});
