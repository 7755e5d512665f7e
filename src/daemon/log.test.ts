import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Log, parseLogLine } from "./log.ts";
import { testFolder } from "./test-kit/folder.ts";

it("is a line for each message", () => {
  const path = join(testFolder(), "log");
  const log = new Log(path);
  log.info("one\ntwo");
  log.failed("reading", new Error("boom"));
  const lines = readFileSync(path, "utf8").trimEnd().split("\n").map(parseLogLine);
  expect(lines).toMatchObject([
    { level: "info", text: "one\ntwo" },
    { level: "error", text: "reading: boom" },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("starts anew when it has grown large, and keeps the one before", () => {
  const path = join(testFolder(), "log");
  const log = new Log(path);
  for (let n = 0; n < 1200; n++) log.info("x".repeat(2000));
  expect(existsSync(`${path}.1`)).toBe(true);
  expect(statSync(path).size + statSync(`${path}.1`).size).toBeGreaterThan(2_000_000);
  for (let n = 0; n < 2400; n++) log.info("x".repeat(2000));
  expect(statSync(path).size).toBeLessThan(2_200_000);
});

it("cannot be written without anyone noticing but the log", () => {
  expect(() => new Log("/nowhere/log").info("x")).not.toThrow();
});

it.each(["", "Error: boom", "{", "[]", '{"at":1}'])("%j is not a line of it", (line) => {
  expect(parseLogLine(line)).toBeUndefined();
});
