import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type * as Programs from "./run-program.ts";

const sh = (script: string, input?: string) => ({
  path: "/bin/sh",
  args: ["-c", script],
  cwd: "/",
  env: { PATH: process.env.PATH, GREETING: "hello" },
  input,
});

const starters = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        return stat.includes("(seam-starter)") && stat.includes(` ${process.pid} `);
      } catch {
        return false;
      }
    });

describe.each(["here", "in the starter"] as const)("a program that is run %s", (where) => {
  let programs: typeof Programs;

  beforeEach(async () => {
    vi.resetModules();
    programs = await import("./run-program.ts");
    if (where === "in the starter") programs.useStarter();
  });

  afterEach(async () => {
    for (const pid of starters()) process.kill(pid, "SIGKILL");
    await expect.poll(starters).toEqual([]);
  });

  it("is given its input and environment, and what it printed comes back with its exit code", async () => {
    const { end } = programs.runProgram(sh('cat; printf "$GREETING" >&2; exit 7', "a\0b"));
    const { stdout, stderr, code } = await end;
    expect(Buffer.from(stdout).toString()).toBe("a\0b");
    expect(Buffer.from(stderr).toString()).toBe("hello");
    expect(code).toBe(7);
  });

  it("can be ended, also where what it left behind holds its output open", async () => {
    const running = programs.runProgram(sh("sleep 5 & kill -STOP $$"));
    running.kill("SIGKILL");
    expect(await running.end).toMatchObject({ code: null, signal: "SIGKILL" });
  });

  it("that is not there fails with the system's code", async () => {
    const { end } = programs.runProgram({ ...sh(""), path: "/nowhere/program" });
    await expect(end).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("prints as much as it wants", async () => {
    const { stdout } = await programs.runProgram(sh("head -c 3000000 /dev/zero")).end;
    expect(stdout.byteLength).toBe(3_000_000);
  });
});

it("a starter that is killed fails what it had under way, and another one runs the next program", async () => {
  vi.resetModules();
  const programs = await import("./run-program.ts");
  programs.useStarter();
  const { end } = programs.runProgram(sh("sleep 2"));
  end.catch(() => {});
  await expect.poll(() => starters().length).toBe(1);
  for (const pid of starters()) process.kill(pid, "SIGKILL");
  await expect(end).rejects.toThrow("the process that ran it has ended");
  const { stdout } = await programs.runProgram(sh("echo again")).end;
  expect(Buffer.from(stdout).toString()).toBe("again\n");
  for (const pid of starters()) process.kill(pid, "SIGKILL");
});
