import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isRunning } from "../files/index.ts";
import { acquireLock } from "./lock.ts";
import { testFolder } from "./test-kit/folder.ts";

const NOWHERE = "/nowhere/daemon.sock";

async function listening(path: string): Promise<void> {
  const server = createServer().listen(path);
  await once(server, "listening");
  onTestFinished(() => void server.close());
}

it("is taken once, and free again after its release", async () => {
  const folder = testFolder();
  const socket = join(folder, "s");
  await listening(socket);
  const path = join(folder, "pid");
  const lock = await acquireLock(path, socket);
  expect(lock?.held()).toBe(true);
  expect(Number.parseInt(readFileSync(path, "utf8"), 10)).toBe(process.pid);
  expect(await acquireLock(path, socket)).toBeUndefined();
  lock?.release();
  expect(existsSync(path)).toBe(false);
  expect((await acquireLock(path, socket))?.held()).toBe(true);
});

it("of a process that is gone counts for nothing", async () => {
  const path = join(testFolder(), "pid");
  writeFileSync(path, `${spawnSync("true").pid} key\n`);
  expect((await acquireLock(path, NOWHERE))?.held()).toBe(true);
});

it("of an earlier process with the same number counts for nothing", async () => {
  const path = join(testFolder(), "pid");
  writeFileSync(path, `${process.pid} another\n`);
  expect((await acquireLock(path, NOWHERE))?.held()).toBe(true);
});

it("whose number now belongs to a process that answers nothing counts for nothing after a while", async () => {
  const path = join(testFolder(), "pid");
  const other = spawn("sleep", ["60"]);
  onTestFinished(() => void other.kill("SIGKILL"));
  writeFileSync(path, `${other.pid} key\n`);
  utimesSync(path, new Date(), new Date(Date.now() - 60_000));
  expect((await acquireLock(path, NOWHERE))?.held()).toBe(true);
});

it("of one that is just starting is waited for", async () => {
  const folder = testFolder();
  const path = join(folder, "pid");
  const socket = join(folder, "s");
  const other = spawn("sleep", ["60"]);
  onTestFinished(() => void other.kill("SIGKILL"));
  writeFileSync(path, `${other.pid} key\n`);
  const asked = acquireLock(path, socket);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await listening(socket);
  expect(await asked).toBeUndefined();
});

it("that was taken away is not held any more, and not removed", async () => {
  const path = join(testFolder(), "pid");
  const lock = await acquireLock(path, NOWHERE);
  writeFileSync(path, "1 other\n");
  expect(lock?.held()).toBe(false);
  lock?.release();
  expect(existsSync(path)).toBe(true);
});

it.each([0, -1, Number.NaN, 1.5])("%d is no process", (pid) => {
  expect(isRunning(pid)).toBe(false);
});
