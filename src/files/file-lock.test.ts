import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { processStart } from "./file-lock.ts";
import { tryLock } from "./index.ts";

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "seam-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "lock");
}
const taken = (path: string) => tryLock(path).isOurs;

function running(): number {
  const other = spawn("sleep", ["60"]);
  onTestFinished(() => void other.kill("SIGKILL"));
  return other.pid ?? 0;
}
const since = "2026-11-16T10:00:00.000Z";
const lockOfProcess = (pid: number, started = processStart(pid)) =>
  `${pid} ${started} ${since} key\n`;

describe("a lock", () => {
  it("is taken once, names its process, and is free again after its release", () => {
    const path = newPath();
    const lock = tryLock(path);
    expect(Number.parseInt(readFileSync(path, "utf8"), 10)).toBe(process.pid);
    expect(tryLock(path)).toMatchObject({ isOurs: false, pid: process.pid, isThisProcess: true });
    if (lock.isOurs) lock.release();
    expect(existsSync(path)).toBe(false);
    expect(taken(path)).toBe(true);
  });

  it("of another process that runs stays, however old it is", () => {
    const path = newPath();
    const pid = running();
    writeFileSync(path, lockOfProcess(pid));
    utimesSync(path, 1, 1);
    expect(tryLock(path)).toMatchObject({ isOurs: false, pid, isThisProcess: false, since });
    expect(readFileSync(path, "utf8")).toBe(lockOfProcess(pid));
  });

  it("of a process that runs is taken where whoever asks says that it counts for nothing", () => {
    const path = newPath();
    writeFileSync(path, lockOfProcess(running()));
    utimesSync(path, 1, 1);
    expect(tryLock(path, ({ ageMs }) => ageMs > 1_000).isOurs).toBe(true);
  });

  it("of another thread of this process stays", async () => {
    const path = newPath();
    const start = processStart(process.pid);
    const code = `require("node:fs").writeFileSync(${JSON.stringify(path)}, "${process.pid} ${start} ${since} key\\n")`;
    const thread = new Worker(code, { eval: true });
    await new Promise((resolve) => thread.once("exit", resolve));
    expect(tryLock(path)).toMatchObject({ isOurs: false, isThisProcess: true });
  });

  it.each([
    ["is gone", () => lockOfProcess(spawnSync("true").pid, "1")],
    ["had the number that another process has now", () => lockOfProcess(running(), "1")],
    ["had the number of this one", () => lockOfProcess(process.pid, "1")],
    ["had the number of this one, in the form of 0.1.0", () => `${process.pid} key\n`],
    ["is gone, in the form of sessions of 0.1.0", () => '{"pid":4000000,"started":"1"}'],
  ])("of a process that %s counts for nothing", (_name, text) => {
    const path = newPath();
    writeFileSync(path, text());
    expect(taken(path)).toBe(true);
  });

  it.each([
    ["daemons", (pid: number) => `${pid} key\n`],
    ["sessions", (pid: number) => JSON.stringify({ pid, started: processStart(pid), since })],
  ])("that a running 0.1.0 holds stays, in the form of %s", (_name, textOf) => {
    const path = newPath();
    const pid = running();
    writeFileSync(path, textOf(pid));
    expect(tryLock(path)).toMatchObject({ isOurs: false, pid });
  });

  it.each(["", "{}", "no number", "-1 key"])("that says %j is waited for, not for ever", (text) => {
    const path = newPath();
    writeFileSync(path, text);
    expect(tryLock(path)).toMatchObject({ isOurs: false, pid: undefined });
    utimesSync(path, 1, 1);
    expect(taken(path)).toBe(true);
  });

  it("cannot be taken where a folder has its name, and nobody hangs", () => {
    expect(tryLock(join(newPath(), ".."))).toMatchObject({ isOurs: false, pid: undefined });
  });

  it("that was taken away is not held any more, and its new holder keeps it", () => {
    const path = newPath();
    const lock = tryLock(path);
    writeFileSync(path, "1 other\n");
    if (!lock.isOurs) throw new Error("nobody else has it");
    expect(lock.held()).toBe(false);
    lock.refresh();
    lock.release();
    expect(readFileSync(path, "utf8")).toBe("1 other\n");
  });

  it("is young again after it was refreshed", () => {
    const path = newPath();
    const lock = tryLock(path);
    utimesSync(path, 1, 1);
    if (lock.isOurs) lock.refresh();
    expect(tryLock(path)).toMatchObject({ isOurs: false, ageMs: expect.closeTo(0, -5) });
  });

  it("says why it cannot be taken", () => {
    expect(() => tryLock(join(newPath(), "in/no/folder"))).toThrow("ENOENT");
  });
});

it("several processes that count with one lock never count at once", async () => {
  const path = newPath();
  const file = `${path}.count`;
  writeFileSync(file, "0");
  const script = join(path, "../count.mjs");
  const index = JSON.stringify(join(import.meta.dirname, "index.ts"));
  writeFileSync(
    script,
    `import { readFileSync, writeFileSync } from "node:fs";
    import { pause, tryLock } from ${index};
    const [path, file] = process.argv.slice(2);
    for (let left = 50; left > 0; ) {
      const lock = tryLock(path);
      if (!lock.isOurs) { pause(1); continue; }
      const now = Number(readFileSync(file, "utf8"));
      pause(1);
      writeFileSync(file, String(now + 1));
      lock.release();
      left--;
    }`,
  );
  const jiti = join(import.meta.dirname, "../../node_modules/jiti/lib/jiti-cli.mjs");
  const counts = [1, 2, 3].map(
    () =>
      new Promise((resolve) =>
        spawn(process.execPath, [jiti, script, path, file], { stdio: "inherit" }).once(
          "close",
          resolve,
        ),
      ),
  );
  await Promise.all(counts);
  expect(readFileSync(file, "utf8")).toBe("150");
});
