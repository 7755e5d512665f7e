import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EVENT_NAMES } from "../../src/events/index.ts";
import { PI_ROOT, requirePeers } from "./pi.ts";

requirePeers();
const types = readFileSync(join(PI_ROOT, "dist/core/extensions/types.d.ts"), "utf8");
const [, contract = ""] = /export interface ExtensionAPI \{(.*?)^\}/ms.exec(types) ?? [];
const names = [...contract.matchAll(/\bon\(event: "([^"]+)"/g)].map(([, name]) => name);

test("the events of Pi were found in its types", () => {
  expect(new Set(names).size).toBe(29);
});

test.each(names)("%s is an event of Seam", (name) => {
  expect(EVENT_NAMES).toContain(name);
});
