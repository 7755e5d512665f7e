import { join } from "node:path";
import { expect, test } from "vitest";
import type { HookRecord } from "../record/index.ts";
import { Cursor } from "./journal/cursor.ts";
import { Journal } from "./journal/journal.ts";
import { Log } from "./log.ts";
import { RecordQueue } from "./record-queue.ts";
import { testFolder } from "./test-kit/folder.ts";

const record = (seq: number): HookRecord => ({
  seq,
  id: `${seq}`,
  at: "",
  agent: "x",
  hook: "y",
  events: [],
  told: {},
});

function setUp(accept: (record: HookRecord) => Promise<void>) {
  const folder = testFolder();
  const cursor = new Cursor(join(folder, "cursor"));
  const log = new Log(join(folder, "log"));
  const journal = new Journal(folder);
  const queue = new RecordQueue({
    recorder: { accept, close: async () => {} },
    journal,
    cursor,
    log,
  });
  return { queue, cursor };
}

test("records of a session come in the order of the journal, whatever is done first", async () => {
  const seen: number[] = [];
  const { queue, cursor } = setUp(async ({ seq }) => void seen.push(seq));
  for (const seq of [1, 2, 3]) queue.expect(seq, "a");
  queue.done(record(3));
  queue.done(record(2));
  await queue.settled();
  expect(seen).toEqual([]);
  expect(cursor.value).toBe(0);
  queue.done(record(1));
  await queue.settled();
  expect(seen).toEqual([1, 2, 3]);
  expect(cursor.value).toBe(3);
  expect(queue.length).toBe(0);
});

test("a session whose hook is not answered yet keeps no other one back", async () => {
  const seen: number[] = [];
  const { queue, cursor } = setUp(async ({ seq }) => void seen.push(seq));
  queue.expect(1, "waits for a person");
  queue.expect(2, "works");
  queue.done(record(2));
  await queue.settled();
  expect(seen).toEqual([2]);
  // After a crash it is handed over once more, together with the one before it.
  expect(cursor.value).toBe(0);
  expect(queue.length).toBe(2);
  queue.done(record(1));
  await queue.settled();
  expect(seen).toEqual([2, 1]);
  expect(cursor.value).toBe(2);
});

test("a slow record keeps no other one back, and the cursor does not pass it", async () => {
  let finish = () => {};
  const slow = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const seen: number[] = [];
  const { queue, cursor } = setUp(async ({ seq }) => {
    if (seq === 1) await slow;
    seen.push(seq);
  });
  for (const seq of [1, 2, 3]) queue.expect(seq, String(seq));
  for (const seq of [1, 2, 3]) queue.done(record(seq));
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual([2, 3]);
  expect(cursor.value).toBe(0);
  finish();
  await queue.settled();
  expect(cursor.value).toBe(3);
});

test("a record that fails does not keep the others back", async () => {
  const seen: number[] = [];
  const { queue, cursor } = setUp(async ({ seq }) => {
    if (seq === 1) throw new Error("boom");
    seen.push(seq);
  });
  for (const seq of [1, 2]) queue.expect(seq, "a");
  for (const seq of [1, 2]) queue.done(record(seq));
  await queue.settled();
  expect(seen).toEqual([2]);
  expect(cursor.value).toBe(2);
});

test("what is done twice is recorded once", async () => {
  const seen: number[] = [];
  const { queue } = setUp(async ({ seq }) => {
    seen.push(seq);
  });
  queue.expect(1, "a");
  queue.done(record(1));
  queue.done(record(1));
  await queue.settled();
  queue.done(record(1));
  await queue.settled();
  expect(seen).toEqual([1]);
});
