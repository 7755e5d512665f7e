import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AGENTS } from "./registry.ts";

const QUIRKS = AGENTS.flatMap(({ hooks }) => hooks?.quirks ?? []);

/** What Seam does about a quirk may be done where things are recorded. */
const FOLDERS = [import.meta.dirname, join(import.meta.dirname, "../record")];

const tests = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => readFileSync(join(folder, path), "utf8")),
).join("\n");

it("every quirk has an id of its own", () => {
  const ids = QUIRKS.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(50);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z0-9-]+$/.test(id))).toEqual([]);
});

it("every quirk is named in a test", () => {
  expect(QUIRKS.map(({ id }) => id).filter((id) => !tests.includes(`[${id}]`))).toEqual([]);
});

it("no test names a quirk that is none", () => {
  const ids = new Set(QUIRKS.map(({ id }) => id));
  const prefixes = new Set([...ids].map((id) => id.split("-")[0]));
  const named = [...tests.matchAll(/\[([a-z0-9]+(?:-[a-z0-9]+)+)\]/g)].map(([, id = ""]) => id);
  const lost = named.filter((id) => prefixes.has(id.split("-")[0]) && !ids.has(id));
  expect(lost).toEqual([]);
});
