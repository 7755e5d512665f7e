import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { bytes, tempDir } from "../test-kit/index.ts";
import { asBoolean, parseConfigFile } from "./config-file.ts";

/** What git reads from the file; undefined when it refuses it. */
function readByGit(path: string): Map<string, string> | undefined {
  try {
    const output = bytes("/", ["config", "--file", path, "--list", "-z"]).toString();
    const pairs = output.split("\0").slice(0, -1);
    return new Map(
      pairs.map((pair) => {
        const end = pair.indexOf("\n");
        return end < 0 ? [pair, "true"] : [pair.slice(0, end), pair.slice(end + 1)];
      }),
    );
  } catch {
    return undefined;
  }
}

const PIECES = [
  "[core]",
  '[remote "origin"]',
  '[remote "a \\" b\\\\"]',
  "[branch.Main]",
  "[Extensions] objectFormat = sha256",
  "bare = true",
  "  worktree = ../a b  ",
  '  key  =  "quoted # ; " rest # comment',
  'path = "C:\\\\a\\tb"',
  "flag",
  "empty =",
  "joined = one \\",
  "two\\",
  "# comment \\",
  "; comment",
  "",
  "value = a;b",
  "ends = back\\\\",
  'tail = "kept  "  ',
];

it("a config file is read as git reads it", () => {
  const path = join(tempDir(), "config");
  let readable = 0;
  const sampled = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 });
  fc.assert(
    fc.property(sampled, fc.constantFrom("\n", "\r\n"), (lines, end) => {
      const text = ["[core]", ...lines, ""].join(end);
      writeFileSync(path, text);
      const truth = readByGit(path);
      if (!truth) return;
      readable++;
      expect(parseConfigFile(text)).toEqual(truth);
    }),
    // Enough of both kinds have to come: it is not sampled.
    { numRuns: 100 },
  );
  expect(readable).toBeGreaterThan(20);
});

it.each([
  ["true", true],
  ["Yes", true],
  ["on", true],
  ["1", true],
  ["false", false],
  ["off", false],
  ["0", false],
  ["", false],
  ["input", undefined],
  [undefined, undefined],
])("%j as a boolean is %j", (text, value) => {
  expect(asBoolean(text)).toBe(value);
});
