import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { RecordProblems, readProblems } from "./problems.ts";
import { newFolder } from "./test-kit/project.ts";

it("keeps what went wrong, the same thing once, with how often and when last", () => {
  const dir = newFolder();
  const problems = new RecordProblems(dir);
  const at = (second: number) => new Date(Date.now() + second * 1000).toISOString();
  problems.note("a", at(1));
  problems.note("b", at(2));
  problems.note("a", at(3));
  expect(readProblems(dir)).toMatchObject([
    { text: "b", count: 1 },
    { text: "a", count: 2 },
  ]);
  // Another process goes on where this one was.
  new RecordProblems(dir).note("b");
  expect(readProblems(dir).at(-1)).toMatchObject({ text: "b", count: 2 });
  expect(readdirSync(dir)).toEqual(["problems"]);
});

it("keeps in memory what cannot be written, and writes it when it can", () => {
  const dir = join(newFolder(), "gone");
  const problems = new RecordProblems(dir);
  problems.note("a");
  problems.note("b");
  expect(problems.unwritten.map(({ text }) => text)).toEqual(["a", "b"]);
  problems.write();
  expect(problems.unwritten).toHaveLength(2);
  mkdirSync(dir);
  problems.write();
  expect(problems.unwritten).toEqual([]);
  expect(readProblems(dir).map(({ text }) => text)).toEqual(["a", "b"]);
});

it("forgets the oldest of many, and what is a week old", () => {
  const dir = newFolder();
  const problems = new RecordProblems(dir);
  for (let n = 0; n < 60; n++) problems.note(`${n}`);
  expect(readProblems(dir)).toHaveLength(50);
  expect(readProblems(dir)[0]?.text).toBe("10");
  expect(readProblems(dir, Date.now() + 8 * 24 * 60 * 60 * 1000)).toEqual([]);
});

it("reads past whatever else is in the file, and cuts what is too long", () => {
  const dir = newFolder();
  const problems = new RecordProblems(dir);
  problems.note("x".repeat(5_000));
  const path = join(dir, "problems");
  writeFileSync(path, `{"text":1}\n\0\nnull\n[]\n${readFileSync(path, "utf8")}{"at":"2`);
  expect(readProblems(dir)).toHaveLength(1);
  expect(readProblems(dir)[0]?.text.length).toBeLessThan(1_100);
});
