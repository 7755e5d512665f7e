import { expect, it, vi } from "vitest";
import { Protection } from "./protection.ts";

const read = vi.hoisted(() => ({ files: 0 }));

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const counted = <T extends (...args: never[]) => unknown>(work: T) =>
    ((...args: Parameters<T>) => {
      read.files++;
      return work(...args);
    }) as T;
  return { ...fs, readFileSync: counted(fs.readFileSync), readdirSync: counted(fs.readdirSync) };
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
  read.files = 0;
  for (let i = 0; i < 100; i++) expect(protection.against(calls, process.cwd())).toBeUndefined();
  expect(read.files).toBe(0);
});
