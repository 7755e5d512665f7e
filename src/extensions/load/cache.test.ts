import fs, { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { loadFrom, tempDir, write } from "../test-kit/index.ts";

const FILES = {
  "a.ts": `import { word } from "./b.ts"; export default () => { seen.push(word as string); };`,
  "b.ts": `export const word: string = "hello";`,
};
const LONG_AGO = new Date("2001-01-01");

/** Every cached file, and whether it was written since `LONG_AGO`. */
function cached(dir: string) {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .map((path) => ({ path, fresh: statSync(path).mtimeMs !== LONG_AGO.getTime() }));
}

function age(dir: string) {
  for (const { path } of cached(dir)) utimesSync(path, LONG_AGO, LONG_AGO);
}

function setUp() {
  const dir = tempDir();
  const cacheDir = join(tempDir(), "cache");
  write(dir, FILES);
  return { dir, cacheDir, again: () => loadFrom(dir, { entries: ["a.ts"], cacheDir }) };
}

it("an extension's file is read once: what is looked at is what is compiled", async () => {
  const { dir, again } = setUp();
  await again();
  const opened = vi.spyOn(fs, "openSync");
  syncBuiltinESMExports();
  try {
    await again();
    expect(opened.mock.calls.filter(([path]) => path === join(dir, "a.ts"))).toHaveLength(1);
  } finally {
    opened.mockRestore();
    syncBuiltinESMExports();
  }
});

it("a second load compiles no file", async () => {
  const { cacheDir, again } = setUp();
  await again();
  expect(cached(cacheDir)).toHaveLength(2);
  age(cacheDir);
  const { seen } = await again();
  expect(seen).toEqual(["hello"]);
  expect(cached(cacheDir).map(({ fresh }) => fresh)).toEqual([false, false]);
});

it("a changed file is compiled again, the other one is not", async () => {
  const { dir, cacheDir, again } = setUp();
  await again();
  age(cacheDir);
  write(dir, { "b.ts": `export const word: string = "changed";` });
  const { seen } = await again();
  expect(seen).toEqual(["changed"]);
  expect(cached(cacheDir).filter(({ fresh }) => fresh)).toHaveLength(1);
});

it("what the cache holds is checked like what was just compiled", async () => {
  const { dir, again } = setUp();
  write(dir, { "a.ts": `import { Nope } from "agentseam"; export default () => Nope;` });
  const first = await again();
  const second = await again();
  expect(first.codes()).toEqual(["SEAM_EXT_MISSING_EXPORT"]);
  expect(second.codes()).toEqual(["SEAM_EXT_MISSING_EXPORT"]);
});

it("a cached file that was cut off is compiled again", async () => {
  const { cacheDir, again } = setUp();
  await again();
  for (const { path } of cached(cacheDir)) writeFileSync(path, "cut o");
  const { set, seen } = await again();
  expect(set.problems).toEqual([]);
  expect(seen).toEqual(["hello"]);
});

it("what a critical extension was compiled to is not kept, so nobody can change it there", async () => {
  const { dir, cacheDir, again } = setUp();
  await again();
  const before = cached(cacheDir).length;
  write(dir, { "a.ts": `export const critical = true;\n${FILES["a.ts"]}` });
  const { seen } = await again();
  expect(seen).toEqual(["hello"]);
  expect(cached(cacheDir)).toHaveLength(before);
});

it("a cache that cannot be written does not keep an extension from loading", async () => {
  const { dir } = setUp();
  const { seen } = await loadFrom(dir, { entries: ["a.ts"], cacheDir: join(dir, "a.ts") });
  expect(seen).toEqual(["hello"]);
});

it("without a cache folder nothing is written", async () => {
  const { dir } = setUp();
  await loadFrom(dir, { entries: ["a.ts"] });
  expect(readdirSync(dir).sort()).toEqual(["a.ts", "b.ts"]);
});
