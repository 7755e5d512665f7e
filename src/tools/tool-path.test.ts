import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { resolveToolPath } from "./tool-path.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seam-path-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("relative paths start at the working folder, absolute ones stay", () => {
  expect(resolveToolPath("a/b.ts", "/project")).toBe("/project/a/b.ts");
  expect(resolveToolPath("../b.ts", "/project/a")).toBe("/project/b.ts");
  expect(resolveToolPath("/etc/hosts", "/project")).toBe("/etc/hosts");
  expect(resolveToolPath(".", "/project")).toBe("/project");
});

test("~ is the home folder, but only at the start of a path", () => {
  expect(resolveToolPath("~", "/project")).toBe(homedir());
  expect(resolveToolPath("~/notes.md", "/project")).toBe(join(homedir(), "notes.md"));
  expect(resolveToolPath("~backup", "/project")).toBe("/project/~backup");
  expect(resolveToolPath("a/~/b", "/project")).toBe("/project/a/~/b");
});

test("the @ of a mention is dropped, unless there is a file with it", async () => {
  await writeFile(join(folder, "plain.md"), "");
  expect(resolveToolPath("@plain.md", folder)).toBe(join(folder, "plain.md"));
  await writeFile(join(folder, "@plain.md"), "");
  expect(resolveToolPath("@plain.md", folder)).toBe(join(folder, "@plain.md"));
  expect(resolveToolPath("@new/file.ts", folder)).toBe(join(folder, "@new/file.ts"));
});
