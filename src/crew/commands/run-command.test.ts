import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRunning } from "../../files/index.ts";
import { tempDir } from "../../git/test-kit/index.ts";
import { runCommand } from "./run-command.ts";

function run(command: string, more: Partial<Parameters<typeof runCommand>[1]> = {}) {
  const cwd = tempDir();
  const file = join(cwd, "out/log");
  const options = { cwd, env: process.env, file, timeoutMs: 60_000, ...more };
  return runCommand(command, options).then((end) => ({ ...end, cwd, file }));
}

describe("a command", () => {
  it("has its exit code and all it printed kept, in order", async () => {
    const end = await run("echo one; echo two >&2; echo three; exit 3");
    expect(end).toMatchObject({ exitCode: 3, output: "one\ntwo\nthree\n", killed: 0 });
    expect(readFileSync(end.file, "utf8")).toBe(end.output);
    expect(end.reason).toBeUndefined();
  });

  it("gets its environment and nothing to read", async () => {
    const end = await run("cat; echo $SEAM_SLOT", { env: { ...process.env, SEAM_SLOT: "7" } });
    expect(end).toMatchObject({ exitCode: 0, output: "7\n" });
  });

  it("that never ends is ended at its limit, with what it had printed", async () => {
    const end = await run("echo here; sleep 1000", { timeoutMs: 300 });
    expect(end.exitCode).toBeUndefined();
    expect(end).toMatchObject({ output: "here\n", reason: "it did not end within 0.3 s" });
    expect(end.killed).toBeGreaterThan(0);
  });

  it("that ignores being asked to end is ended all the same", async () => {
    const end = await run("trap '' TERM; while :; do sleep 0.1; done", { timeoutMs: 200 });
    expect(end.reason).toContain("did not end");
  });

  it("that floods is ended, and only the end of it is shown", async () => {
    const end = await run("yes 0123456789", { maxBytes: 2 ** 20 });
    expect(end.reason).toBe("it printed more than 1 MB");
    expect(end.output.length).toBeLessThan(20_000);
    expect(end.output.startsWith("0123456789\n")).toBe(true);
  });

  it("that forks and exits leaves nobody behind, in its group or out of it", async () => {
    const end = await run(
      "sleep 1000 & echo $!; setsid sh -c 'echo $$ >pid; exec sleep 1000' & while ! [ -s pid ]; do sleep 0.05; done; cat pid",
    );
    expect(end.exitCode).toBe(0);
    expect(end.killed).toBe(2);
    const pids = end.output.trim().split("\n").map(Number);
    expect(pids).toHaveLength(2);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it("that is cancelled is ended, also before it started", async () => {
    const stop = new AbortController();
    const running = run("echo here; sleep 1000", { signal: stop.signal });
    stop.abort();
    expect(await running).toMatchObject({ reason: "it was cancelled" });
  });

  it("that is still at work for a process that was killed is ended before it is run again", async () => {
    const cwd = tempDir();
    const file = join(cwd, "log");
    const command = "sh -c 'exec sleep 1000'";
    const env = { ...process.env, SEAM_COMMAND: file };
    const left = spawn("/bin/sh", ["-c", command], { cwd, env, detached: true, stdio: "ignore" });
    await run("true", { file });
    expect(isRunning(left.pid ?? 0)).toBe(false);
  });

  it("whose folder is gone says so", async () => {
    const end = await run("true", { cwd: "/nowhere/at/all" });
    expect(end.exitCode).toBeUndefined();
    expect(end.reason).toContain("could not be started");
    expect(existsSync(end.file)).toBe(true);
  });
});
