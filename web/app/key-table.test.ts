import { expect, it } from "vitest";
import { KEYS, keyNames, matching } from "./key-table.ts";

it("has no key twice", () => {
  const keys = keyNames().map((name) => KEYS[name].keys);
  expect(new Set(keys).size).toBe(keys.length);
});

it("finds every key of the table by what is pressed", () => {
  for (const name of keyNames()) expect(matching(KEYS[name].keys.split(" ")).name).toBe(name);
});

it("waits for the second key of a sequence, and for no other", () => {
  expect(matching(["g"])).toEqual({ isBegun: true });
  expect(matching(["g", "n"]).name).toBe("go.now");
  expect(matching(["q"])).toEqual({ isBegun: false });
});
