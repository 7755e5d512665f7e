import { chmodSync, statSync } from "node:fs";
import { expect, it } from "vitest";
import { daemonPaths, prepareFolders } from "./daemon-paths.ts";
import { testFolder } from "./test-kit/folder.ts";
import { ownToken, readToken, sameToken } from "./token.ts";

function place() {
  const made = daemonPaths(testFolder());
  prepareFolders(made);
  return made;
}

it("is made once, for the user alone", () => {
  const made = place();
  const token = ownToken(made);
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(made.token).mode & 0o777).toBe(0o600);
  expect(ownToken(made)).toBe(token);
});

it("is made anew if others could have read it", () => {
  const made = place();
  const token = ownToken(made);
  chmodSync(made.token, 0o644);
  expect(ownToken(made)).not.toBe(token);
  expect(statSync(made.token).mode & 0o777).toBe(0o600);
});

it("is not known where there is none", () => {
  expect(readToken("/nowhere/token")).toBeUndefined();
});

it.each([
  [undefined, false],
  ["", false],
  ["ab", false],
  ["abcd", true],
  ["abcde", false],
  ["abc\0", false],
  ["äbcd", false],
])("%j against abcd: %j", (given, same) => {
  expect(sameToken(given, "abcd")).toBe(same);
});

it("lives in a folder that only the user gets into, also if it was open before", () => {
  const made = place();
  chmodSync(made.run, 0o755);
  prepareFolders(made);
  for (const path of [made.run, made.spool, made.journal]) {
    expect(statSync(path).mode & 0o777).toBe(0o700);
  }
});
