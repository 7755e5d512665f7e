import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { agentAbove, ancestorsOf, argumentsOf, isAlive, processOf } from "./process-tree.ts";

it("knows this process and the ones above it", () => {
  const [self, parent] = ancestorsOf(process.pid);
  expect(self).toMatchObject({ pid: process.pid, parent: process.ppid });
  expect(parent?.pid).toBe(process.ppid);
});

it("finds the agent above a shell that runs a hook", async () => {
  // The second command keeps the shell from turning into the first.
  const shell = spawn("sh", ["-c", "sleep 30; true"]);
  try {
    await once(shell, "spawn");
    expect(agentAbove(shell.pid ?? 0)?.pid).toBe(process.pid);
  } finally {
    shell.kill("SIGKILL");
  }
});

it("does not take a later process with the same number for the same one", () => {
  const self = processOf(process.pid);
  expect(self).toBeDefined();
  if (!self) return;
  expect(isAlive(self)).toBe(true);
  expect(isAlive({ pid: self.pid, started: "another time" })).toBe(false);
});

it("says that an ended process is gone, also before its parent has noticed", async () => {
  const child = spawn("sleep", ["30"]);
  await once(child, "spawn");
  const known = processOf(child.pid ?? 0);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(known && isAlive(known)).toBe(false);
});

it("knows the arguments of a process, also odd ones", async () => {
  const child = spawn("sleep", ["30"], { argv0: "sle ep" });
  await once(child, "spawn");
  expect(argumentsOf(child.pid ?? 0).at(-1)).toBe("30");
  child.kill("SIGKILL");
  expect(argumentsOf(-5)).toEqual([]);
});

it.each([0, -1, 1.5, Number.NaN, 2 ** 40])("there is no process %d", (pid) => {
  expect(processOf(pid)).toBeUndefined();
});
