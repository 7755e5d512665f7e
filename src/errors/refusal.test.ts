import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { inWords } from "./refusal.ts";

it("what the system refused is said in words inside another error, with the path", () => {
  const path = `${fileURLToPath(import.meta.url)}/below-a-file`;
  let thrown: unknown;
  try {
    readFileSync(path);
  } catch (error) {
    thrown = error;
  }
  expect(String(thrown)).toContain("ENOTDIR");
  expect(inWords(thrown)).toBe(`${path}: a part of the path is a file, not a folder`);
});

it("everything else is said as it came", () => {
  expect(inWords(new Error("no"))).toBe("no");
  expect(inWords("just words")).toBe("just words");
});
