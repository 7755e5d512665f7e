import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readRegular, readRegularText } from "./read-regular.ts";

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "seam-regular-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "file");
}

it("a file is read up to the limit, and not beyond", () => {
  const path = place();
  for (const size of [0, 1, 4096, 4097, 10_000]) {
    writeFileSync(path, "x".repeat(size));
    expect(readRegular(path, 10_000).length).toBe(size);
  }
  expect(() => readRegular(path, 9_999)).toThrow(/too large: more than 9999 bytes/);
});

it("a file that says it is empty, as those of the system do, is read to its end, or to the limit", () => {
  expect(readRegularText("/proc/self/limits", 100_000)).toContain("Max open files");
  expect(() => readRegular("/proc/self/limits", 100)).toThrow(/too large/);
});

it("a pipe nobody writes to is refused at once, also through a link", () => {
  const path = place();
  execFileSync("mkfifo", [path]);
  symlinkSync(path, `${path}-link`);
  expect(() => readRegular(path, 100)).toThrow(/it is not a file/);
  expect(() => readRegular(`${path}-link`, 100)).toThrow(/it is not a file/);
});

it("a device that never ends is refused", () => {
  const path = place();
  symlinkSync("/dev/zero", path);
  expect(() => readRegular(path, 100)).toThrow(/it is not a file/);
});

it("what is missing, and a folder, fail as they always do", () => {
  const path = place();
  expect(() => readRegular(path, 100)).toThrow(/ENOENT/);
  expect(() => readRegular(join(path, ".."), 100)).toThrow(/EISDIR/);
});
