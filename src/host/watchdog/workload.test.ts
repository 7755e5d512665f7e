import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { Workload } from "./workload.ts";

it("sees that this very process works", () => {
  // The main thread of a process of its own: tests may run in another thread.
  const url = new URL("./workload.ts", import.meta.url).href;
  const script = `
    const { createJiti } = await import("jiti");
    const { Workload } = await createJiti(import.meta.url).import(${JSON.stringify(url)});
    const load = new Workload();
    load.look();
    for (const start = process.cpuUsage(); process.cpuUsage(start).user < 200_000; );
    console.log(load.cpuMs >= 100);`;
  const args = ["--input-type=module", "-e", script];
  const cwd = new URL("../../..", import.meta.url);
  expect(execFileSync(process.execPath, args, { cwd, encoding: "utf8" })).toBe("true\n");
});

it("counts from the first look after the thread was heard of", () => {
  let cpuMs = 500;
  const workload = new Workload(() => ({ isRunning: true, cpuMs }));
  workload.look();
  cpuMs = 700;
  expect({ cpuMs: workload.cpuMs, isRunning: workload.isRunning }).toEqual({
    cpuMs: 200,
    isRunning: true,
  });
  workload.restart();
  expect({ cpuMs: workload.cpuMs, isRunning: workload.isRunning }).toEqual({
    cpuMs: 0,
    isRunning: false,
  });
});
