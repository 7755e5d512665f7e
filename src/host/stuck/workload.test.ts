import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { Workload } from "./workload.ts";

/** Looks ten times, every 10 ms of a clock of its own. */
function looked(samples: (look: number) => { isRunning?: boolean; cpuMs: number }): Workload {
  let look = 0;
  const workload = new Workload(
    () => samples(look),
    () => look * 10,
  );
  for (; look < 10; look++) workload.look();
  return workload;
}

describe("a thread that is not heard of", () => {
  it("is at work when it runs", () => {
    const { isRunning, isAtWork, cpuMs } = looked((look) => ({
      isRunning: true,
      cpuMs: look * 10,
    }));
    expect({ isRunning, isAtWork, cpuMs }).toEqual({ isRunning: true, isAtWork: true, cpuMs: 100 });
  });

  it("is at work when it could run and others have the processor", () => {
    const { isAtWork, cpuMs } = looked(() => ({ isRunning: true, cpuMs: 0 }));
    expect({ isAtWork, cpuMs }).toEqual({ isAtWork: true, cpuMs: 0 });
  });

  it("is not at work when it waits, also if it ran just before", () => {
    const { isRunning, isAtWork } = looked((look) => ({ isRunning: look === 0, cpuMs: 500 }));
    expect({ isRunning, isAtWork }).toEqual({ isRunning: false, isAtWork: false });
  });

  it("is at work when it only ever waits for a moment", () => {
    const { isRunning, isAtWork } = looked((look) => ({ isRunning: false, cpuMs: look * 4 }));
    expect({ isRunning, isAtWork }).toEqual({ isRunning: false, isAtWork: true });
  });

  it("is judged by its processor time where nothing else is known", () => {
    expect(looked((look) => ({ cpuMs: look })).isAtWork).toBe(false);
    expect(looked((look) => ({ cpuMs: look * 3 })).isAtWork).toBe(true);
  });

  it("starts anew when it was heard of", () => {
    const workload = looked(() => ({ isRunning: true, cpuMs: 0 }));
    workload.restart();
    expect(workload.isRunning).toBe(false);
    expect(workload.cpuMs).toBe(0);
  });
});

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
