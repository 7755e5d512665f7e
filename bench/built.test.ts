import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { PROGRAMS, ROOMS } from "../scripts/build/parts.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

it("everything built that a benchmark names is built for it", () => {
  const files = readdirSync(here, { recursive: true, encoding: "utf8" });
  const named = files
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .flatMap((file) => [
      ...readFileSync(join(here, file), "utf8").matchAll(/"([\w/-]+)\.js", DIST/g),
    ])
    .map(([, name = ""]) => name);
  expect(named).toContain("host/index");
  const built = new Set([...Object.keys(PROGRAMS), ...Object.keys(ROOMS)]);
  expect(named.filter((name) => !built.has(name))).toEqual([]);
});
