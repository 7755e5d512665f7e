import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalBashOperations } from "./local-operations.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seam-shell-"));
});
afterEach(() => rm(folder, { recursive: true }));

interface Run {
  exitCode: number | null;
  output: string;
}

async function run(
  command: string,
  options: { signal?: AbortSignal; timeout?: number } = {},
): Promise<Run> {
  const parts: Buffer[] = [];
  const onData = (data: Buffer) => void parts.push(data);
  const { exitCode } = await createLocalBashOperations().exec(command, folder, {
    onData,
    ...options,
  });
  return { exitCode, output: Buffer.concat(parts).toString("utf8") };
}

async function pidIn(name: string): Promise<number> {
  await expect.poll(() => readFile(join(folder, name), "utf8").catch(() => "")).toMatch(/\d+\n/);
  return Number(await readFile(join(folder, name), "utf8"));
}

/** A process that ended but was not collected by its parent yet counts as gone. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith(
      "Z",
    );
  } catch {
    return false;
  }
}

/** A shell with a child and a grandchild in the background; each notes its process id. */
const FAMILY = `
  sh -c 'echo $$ > grandchild; exec sleep 60' &
  sh -c 'echo $$ > child; sleep 60; true' &
  echo $$ > shell; echo started; wait`;

async function family(): Promise<number[]> {
  return Promise.all(["shell", "child", "grandchild"].map(pidIn));
}

test("an abort ends the shell and everything it started", async () => {
  const controller = new AbortController();
  const running = run(FAMILY, { signal: controller.signal });
  const pids = await family();
  expect(pids.map(isRunning)).toEqual([true, true, true]);
  const started = Date.now();
  controller.abort();
  await expect(running).rejects.toThrow(/^aborted$/);
  expect(Date.now() - started).toBeLessThan(1500);
  await expect.poll(() => pids.map(isRunning)).toEqual([false, false, false]);
});

test("so does a timeout", async () => {
  const running = run(FAMILY, { timeout: 0.7 });
  running.catch(() => {});
  const pids = await family();
  await expect(running).rejects.toThrow(/^timeout:0.7$/);
  await expect.poll(() => pids.map(isRunning)).toEqual([false, false, false]);
});

test("those who ignore the request are made to stop after two seconds", async () => {
  const controller = new AbortController();
  const stubborn = `trap '' TERM; echo $$ > shell; while true; do sleep 0.1; done`;
  const running = run(stubborn, { signal: controller.signal });
  const pid = await pidIn("shell");
  const started = Date.now();
  controller.abort();
  await expect(running).rejects.toThrow("aborted");
  const took = Date.now() - started;
  expect(took).toBeGreaterThan(1800);
  expect(took).toBeLessThan(3500);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test("a child that outlives the shell's end on an abort is stopped too", async () => {
  const controller = new AbortController();
  const command = `sh -c 'trap "" TERM; echo $$ > child; while true; do sleep 0.1; done' & wait`;
  const running = run(command, { signal: controller.signal });
  const pid = await pidIn("child");
  controller.abort();
  await expect(running).rejects.toThrow("aborted");
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test("something left in the background keeps running and does not hold the result back", async () => {
  const started = Date.now();
  const { exitCode, output } = await run("sh -c 'echo $$ > child; exec sleep 60' & echo ready");
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: "ready\n" });
  expect(Date.now() - started).toBeLessThan(1500);
  const pid = await pidIn("child");
  expect(isRunning(pid)).toBe(true);
  process.kill(pid, "SIGKILL");
});

test("not even when it never stops printing", async () => {
  const started = Date.now();
  const command =
    "sh -c 'echo $$ > child; while true; do echo noise; sleep 0.02; done' & sleep 0.1";
  expect((await run(command)).exitCode).toBe(0);
  expect(Date.now() - started).toBeLessThan(3000);
  const pid = await pidIn("child");
  // Nobody reads its output any more, which ends it; this is only for the case it does not notice.
  await expect.poll(() => isRunning(pid), { timeout: 3000 }).toBe(false);
});

test("output printed right before the end is not lost", async () => {
  const { output } = await run("seq 1 100000");
  expect(output.endsWith("\n100000\n")).toBe(true);
});

test("a signal that fired before the start runs nothing", async () => {
  await expect(run("touch made", { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
  await expect(readFile(join(folder, "made"))).rejects.toThrow("ENOENT");
});

test("when Seam itself ends, the commands it runs end with it", async () => {
  const file = new URL("./local-operations.ts", import.meta.url).pathname;
  const script = `
    import { createJiti } from "jiti";
    import { existsSync } from "node:fs";
    const jiti = createJiti(${JSON.stringify(file)}, { fsCache: false });
    const { createLocalBashOperations } = await jiti.import(${JSON.stringify(file)});
    createLocalBashOperations().exec("echo $$ > shell; sleep 60; true", process.argv[1], { onData() {} });
    setInterval(() => existsSync(process.argv[1] + "/shell") && process.exit(0), 50);
  `;
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script, folder]);
  const pid = await pidIn("shell");
  await expect.poll(() => isRunning(pid)).toBe(false);
});
