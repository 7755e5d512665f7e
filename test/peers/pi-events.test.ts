import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EVENT_NAMES } from "../../src/events/index.ts";
import { EDITIONS, requirePeers } from "./pi.ts";

requirePeers();
const page = readFileSync(new URL("../../docs/pi.md", import.meta.url), "utf8");
const [, meaningless = ""] = /### Events that have no meaning here(.*)/s.exec(page) ?? [];

describe.each([
  ["0.74.2", 29],
  ["1.5.0", 41],
] as const)("Pi %s", (edition, count) => {
  const file = join(EDITIONS[edition], "dist/core/extensions/types.d.ts");
  const types = readFileSync(file, "utf8");
  const [, contract = ""] = /export interface ExtensionAPI \{(.*?)^\}/ms.exec(types) ?? [];
  const names = [...contract.matchAll(/\bon\(event: "([^"]+)"/g)].map(([, name = ""]) => name);
  const methods = [...contract.matchAll(/^ {4}(\w+)(?:<.*?>)?\(/gm)].map(([, name = ""]) => name);

  test("its events were found in its types", () => {
    expect(new Set(names).size).toBe(count);
  });

  test.each(names)("%s is an event of Seam, or the page says why it is none", (name) => {
    const isExplained = meaningless.includes(`| \`${name}\` | Pi |`);
    expect(EVENT_NAMES.some((known) => known === name) !== isExplained).toBe(true);
  });

  test("every method of its API is one of Seam's", async () => {
    const { createTestHost } = await import("../../src/testing/index.ts");
    let api: object = {};
    const factory = (pi: object) => {
      api = pi;
    };
    const host = await createTestHost({ extensions: [{ name: "looks", factory }] });
    const missing = methods.filter((name) => typeof Reflect.get(api, name) !== "function");
    await host.dispose();
    expect(methods.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });
});
