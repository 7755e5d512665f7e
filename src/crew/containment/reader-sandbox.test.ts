import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readerSandbox } from "./reader-sandbox.ts";

const folder = mkdtempSync(join(tmpdir(), "sandbox-"));
writeFileSync(join(folder, "a.txt"), "seen\n");
const words = await readerSandbox([folder]);
const inside = (command: string) => {
  const [program = "", ...rest] = words ?? [];
  return spawnSync(program, [...rest, command], { cwd: folder, encoding: "utf8" });
};

it.skipIf(!words)("a command in a sandbox sees what is worked on, and can change nothing", () => {
  expect(inside("cat a.txt; echo x > /tmp/y && cat /tmp/y").stdout).toBe("seen\nx\n");
  expect(inside("echo x > a.txt").stderr).toContain("Read-only");
  expect(inside("echo x > /usr/seam-was-here").status).not.toBe(0);
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("seen\n");
});

it.skipIf(!words)("a command in a sandbox reaches neither processes nor networks", () => {
  expect(inside(`kill -0 ${process.pid}`).status).not.toBe(0);
  expect(
    inside("test $(ls /sys/class/net | wc -l) -gt 0; cat /proc/net/route | wc -l").stdout,
  ).toBe("1\n");
});

it("without bubblewrap there is no sandbox", async () => {
  const before = process.env.PATH;
  process.env.PATH = "/nowhere";
  try {
    expect(await readerSandbox([])).toBeUndefined();
  } finally {
    process.env.PATH = before;
  }
});
