import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { HookRecord } from "../../record/index.ts";
import { testFolder } from "../test-kit/folder.ts";
import { until } from "../test-kit/setup.ts";
import { RecordThread } from "./record-thread.ts";

const record = (seq: number, more: Partial<HookRecord> = {}): HookRecord => ({
  seq,
  id: `hook-${seq}`,
  at: new Date(seq * 1_000).toISOString(),
  agent: "x",
  hook: "y",
  events: [],
  told: {},
  ...more,
});

/**
 * A thread that writes down what it is given, a line each, and does with some of it what `does`
 * says: the body of a function of the record and of the times it was given before.
 */
function setUp(does = "") {
  const folder = testFolder();
  const seen = join(folder, "seen");
  const file = join(folder, "worker.mjs");
  writeFileSync(
    file,
    `import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
const seen = ${JSON.stringify(seen)};
const before = (line) => existsSync(seen)
  ? readFileSync(seen, "utf8").split("\\n").filter((one) => one === line).length : 0;
const does = async (record, times) => { ${does} };
parentPort.on("message", async (message) => {
  if (message.do !== "call") return appendFileSync(seen, "overtaken " + message.hookId + "\\n");
  const { id, call } = message;
  const line = call.method === "accept"
    ? "accept " + call.record.seq + (call.record.late ? " late" : "") : call.method;
  const times = before(line);
  appendFileSync(seen, line + "\\n");
  if (call.method === "accept") await does(call.record, times);
  parentPort.postMessage({ say: "done", id });
});
parentPort.postMessage({ say: "ready" });
`,
  );
  const said: string[] = [];
  const log = (_: string, text: string) => void said.push(text);
  const thread = new RecordThread({ version: "1", log, file, memoryMb: 32 });
  onTestFinished(() => thread.close());
  const lines = () =>
    existsSync(seen) ? readFileSync(seen, "utf8").split("\n").filter(Boolean) : [];
  return { thread, lines, said, file };
}

test("what was under way when the thread ended is given to the next one, and nothing else again", async () => {
  const { thread, lines, said } = setUp("if (record.seq === 2 && times === 0) process.exit(1);");
  await thread.accept(record(1));
  await Promise.all([2, 3, 4].map((seq) => thread.accept(record(seq))));
  expect(lines().filter((line) => line === "accept 1")).toHaveLength(1);
  for (const seq of [2, 3, 4]) expect(lines()).toContain(`accept ${seq}`);
  expect(said.join()).toContain("started again");
});

test("a hook that ends the thread again and again is given up, and all others are recorded", async () => {
  const { thread, lines } = setUp("if (record.seq === 2) process.exit(1);");
  const ended = await Promise.allSettled(
    [1, 2, 3, 4].map((seq) => thread.accept(record(seq, { cwd: "/somewhere" }))),
  );
  expect(ended.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  // The repository is told of it.
  await until(() => lines().includes("lost"));
});

test("a thread that is out of memory takes nobody with it", async () => {
  const { thread } = setUp(
    "if (record.seq === 1 && times === 0) { const all = []; for (;;) all.push({ n: [all.length] }); }",
  );
  await Promise.all([1, 2].map((seq) => thread.accept(record(seq))));
});

test("nothing is given up because the thread cannot be started", async () => {
  const { thread, lines, file, said } = setUp();
  const script = readFileSync(file, "utf8");
  writeFileSync(file, "throw new Error('not now');\n");
  const work = thread.accept(record(1));
  await until(() => said.length >= 2);
  writeFileSync(file, script);
  await work;
  expect(lines()).toEqual(["accept 1"]);
});

test("that the agent went on is known to the next thread too", async () => {
  const { thread, lines } = setUp(
    "if (!record.late) { await new Promise((done) => setTimeout(done, 300)); process.exit(1); }",
  );
  const work = thread.accept(record(1));
  await until(() => lines().length === 1);
  thread.overtaken("hook-1");
  await work;
  expect(lines()).toEqual(["accept 1", "overtaken hook-1", "accept 1 late"]);
});

test("what is not done when it is closed is neither done nor failed", async () => {
  const { thread } = setUp("if (record.seq === 1) await new Promise(() => {});");
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  thread.accept(record(1)).then(settle, settle);
  await thread.accept(record(2));
  await thread.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isSettled).toBe(false);
});

test("what tools read and wrote does not go from thread to thread", async () => {
  let deep: object = {};
  for (let n = 0; n < 200_000; n++) deep = { deep };
  const { thread, lines } = setUp();
  const tool = { name: "write", nativeName: "Write", callId: "1", nativeInput: { deep } };
  const result = { content: [], isError: false, native: deep };
  const tools = [{ ...tool, input: { path: "a.ts", deep }, result }];
  await thread.accept(record(1, { reading: { sessionId: "s", tools } }));
  expect(lines()).toEqual(["accept 1"]);
});

test("what is due from time to time is done also while sessions without agents are looked for", async () => {
  const { thread, lines } = setUp();
  await thread.accept(record(1));
  await Promise.all([thread.endGone(), thread.endGone(), thread.sweep(), thread.sweep()]);
  expect(lines()).toEqual(["accept 1", "endGone", "sweep"]);
});
