import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { SeamError } from "../errors/index.ts";
import { AskedThread } from "./asked-thread.ts";

interface Calls {
  double: { readonly ask: number; readonly answer: number };
  refuse: { readonly ask: undefined; readonly answer: never };
  die: { readonly ask: undefined; readonly answer: never };
  never: { readonly ask: unknown; readonly answer: never };
  work: { readonly ask: number; readonly answer: never };
}

const THREAD = `
const { parentPort } = require("node:worker_threads");
parentPort.postMessage({ say: "started" });
parentPort.on("message", ({ id, method, ask }) => {
  if (method === "double") parentPort.postMessage({ say: "done", id, answer: ask * 2 });
  if (method === "refuse") {
    const error = { message: "no", code: "SEAM_USAGE", details: { detail: "not so" } };
    parentPort.postMessage({ say: "failed", id, error });
  }
  if (method === "die") throw new Error("out of bounds");
  if (method === "work") {
    parentPort.postMessage({ say: "works" });
    // As a native call does, this holds the thread, and nothing should cut it short.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ask);
    parentPort.postMessage({ say: "finished" });
  }
  if (method === undefined) {
    parentPort.postMessage({ say: "closed" });
    process.exit();
  }
});
`;

function thread(leaveMs?: number) {
  const file = join(tmpdir(), "thread.cjs");
  writeFileSync(file, THREAD);
  const heard: string[] = [];
  const made = new AskedThread<Calls, { say: string }>({
    start: () => new Worker(file),
    hear: ({ say }) => heard.push(say),
    failure: (detail) => new SeamError("SEAM_VIEW_READER", { detail }),
    onEnd: (why) => heard.push(why),
    ...(leaveMs !== undefined && { leaveMs }),
  });
  onTestFinished(() => made.end());
  return { heard, thread: made };
}

it("starts with the first question, and answers each", async () => {
  const { heard, thread: asked } = thread();
  expect(asked.isRunning).toBe(false);
  const answers = Promise.all([asked.ask("double", 2), asked.ask("double", 21)]);
  expect(asked.waiting).toBe(2);
  expect(await answers).toEqual([4, 42]);
  expect(asked.waiting).toBe(0);
  expect(heard).toEqual(["started"]);
});

it("an error keeps the code it was given in the thread", async () => {
  const { thread: asked } = thread();
  const refused = await asked.ask("refuse", undefined).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "SEAM_USAGE", details: { detail: "not so" } });
});

it("a thread that ends fails what it was asked, says why, and starts again", async () => {
  const { heard, thread: asked } = thread();
  const lost = asked.ask("never", undefined).catch((error: unknown) => error);
  await expect(asked.ask("die", undefined)).rejects.toMatchObject({
    code: "SEAM_VIEW_READER",
    details: { detail: "out of bounds" },
  });
  expect(await lost).toMatchObject({ details: { detail: "out of bounds" } });
  expect(heard).toEqual(["started", "out of bounds"]);
  expect(await asked.ask("double", 3)).toBe(6);
});

it("a question after its end is answered by another thread, whatever the first one leaves", async () => {
  const { heard, thread: asked } = thread();
  const lost = asked.ask("never", undefined).catch((error: unknown) => error);
  const ended = asked.end();
  expect(await asked.ask("double", 4)).toBe(8);
  await ended;
  expect(await lost).toMatchObject({ code: "SEAM_VIEW_READER" });
  expect(await asked.ask("double", 5)).toBe(10);
  expect(heard.filter((one) => one !== "started")).toEqual([]);
});

it("what cannot be sent fails, and nothing waits for it", async () => {
  const { thread: asked } = thread();
  await expect(asked.ask("never", () => {})).rejects.toMatchObject({ code: "SEAM_VIEW_READER" });
  expect(asked.waiting).toBe(0);
});

it("a thread that may leave finishes its step and closes what it has open before it ends", async () => {
  const { heard, thread: asked } = thread(60_000);
  const lost = asked.ask("work", 200).catch((error: unknown) => error);
  while (!heard.includes("works")) await sleep(5);
  await asked.end();
  expect(heard).toEqual(["started", "works", "finished", "closed"]);
  expect(await lost).toMatchObject({ code: "SEAM_VIEW_READER" });
});

it("a thread that does not leave in time is stopped where it is", async () => {
  const { heard, thread: asked } = thread(20);
  void asked.ask("work", 3_600_000).catch(() => {});
  while (!heard.includes("works")) await sleep(5);
  await asked.end();
  expect(heard).toEqual(["started", "works"]);
});
