import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLsTool, type LsToolDetails, type LsToolInput } from "./ls.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seam-ls-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function ls(input: LsToolInput = {}): Promise<{ text: string; details?: LsToolDetails }> {
  const { content, details } = await createLsTool(folder).execute("call", input);
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return details ? { text, details } : { text };
}

test("lists names in order whatever their case, hidden ones too, folders with a slash", async () => {
  await mkdir(join(folder, "Beta"));
  await mkdir(join(folder, ".hidden"));
  for (const name of ["alpha.txt", "gamma", ".env"]) await writeFile(join(folder, name), "");
  await symlink("Beta", join(folder, "link"));
  await symlink("nowhere", join(folder, "dangling"));
  expect((await ls()).text.split("\n")).toEqual([
    ".env",
    ".hidden/",
    "alpha.txt",
    "Beta/",
    "dangling",
    "gamma",
    "link/",
  ]);
});

test("a name with a line break cannot pass for two entries", async () => {
  await writeFile(join(folder, "a\nb"), "");
  await writeFile(join(folder, `it's "c"`), "");
  expect((await ls()).text).toBe(`"a\\nb"\nit's "c"`);
});

test("stops at the limit and says how many there are", async () => {
  for (let index = 0; index < 12; index++) await writeFile(join(folder, `f${index}`), "");
  const { text, details } = await ls({ limit: 5 });
  expect(text.split("\n")).toHaveLength(7);
  expect(text).toContain("5 of 12 entries");
  expect(details).toEqual({ entryLimitReached: 5 });
});

test("shows at most 500 entries and 50 KB", async () => {
  const operations = {
    exists: () => true,
    readdir: () => Array.from({ length: 600 }, (_, index) => `${index}-${"x".repeat(200)}`),
    stat: (path: string) => ({ isDirectory: () => path === "/remote" }),
  };
  const { content, details } = await createLsTool("/remote", { operations }).execute("call", {});
  expect(details?.entryLimitReached).toBe(500);
  expect(details?.truncation?.outputBytes).toBeLessThanOrEqual(51200);
  expect(content).toHaveLength(1);
});

test("says what is wrong: empty, missing, not a folder", async () => {
  await mkdir(join(folder, "empty"));
  await writeFile(join(folder, "file"), "");
  expect((await ls({ path: "empty" })).text).toBe("The folder is empty.");
  await expect(ls({ path: "missing" })).rejects.toThrow("Cannot list missing: there is nothing");
  await expect(ls({ path: "file" })).rejects.toThrow("Cannot list file: it is a file");
});
