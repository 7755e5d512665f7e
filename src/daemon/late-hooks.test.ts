import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { LateHooks } from "./late-hooks.ts";
import { Log } from "./log.ts";
import { Spool } from "./spool/spool.ts";
import { testFolder } from "./test-kit/folder.ts";

/** A process that is not there. */
const GONE = 2 ** 22 + 1;

function setUp(count: number) {
  const folder = join(testFolder(), "spool");
  mkdirSync(folder);
  for (let n = 0; n < count; n++) writeFileSync(join(folder, `a~b~1~${GONE}~${n}`), `${n}`);
  const taken: string[] = [];
  const queue = { length: 0 };
  const late = (hook: { text: string }) => {
    taken.push(hook.text);
    queue.length++;
    return true;
  };
  const log = new Log(join(testFolder(), "log"));
  const hooks = new LateHooks({ hookService: { late }, spool: new Spool(folder), queue, log });
  return { hooks, taken, queue, left: () => readdirSync(folder).length };
}

it("takes up all that was left, each once", async () => {
  const { hooks, taken, left } = setUp(20);
  hooks.take();
  await vi.waitFor(() => expect(left()).toBe(0));
  expect(new Set(taken).size).toBe(20);
  hooks.take();
  expect(taken).toHaveLength(20);
});

it("lets others have their turn before it has taken up a flood", async () => {
  const { hooks, taken, left } = setUp(500);
  hooks.take(0);
  expect(left()).toBe(500);
  const first = await new Promise((resolve) => setImmediate(() => resolve(taken.length)));
  expect(first).toBe(0);
  await vi.waitFor(() => expect(left()).toBe(0), { timeout: 30_000 });
  expect(taken).toHaveLength(500);
});

it("leaves in the spool what the record has no room for yet", async () => {
  const { hooks, taken, queue, left } = setUp(1_200);
  hooks.take(60_000);
  expect([taken.length, left()]).toEqual([1_000, 200]);
  queue.length = 0;
  await vi.waitFor(() => expect(left()).toBe(0), { timeout: 30_000 });
});
