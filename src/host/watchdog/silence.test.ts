import { describe, expect, it } from "vitest";
import { Silence } from "./silence.ts";

const TICK_MS = 100;

/** A silence of so many looks, at each of which the thread had used so much of a processor. */
function silent(looks: number, thread: { msPerLook: number; isRunning: boolean }): Silence {
  let count = 0;
  const silence = new Silence({
    restart: () => {
      count = 0;
    },
    look: () => void count++,
    get cpuMs() {
      return count * thread.msPerLook;
    },
    isRunning: thread.isRunning,
  });
  for (let i = 0; i < looks; i++) silence.look();
  return silence;
}

const LOOP = { msPerLook: TICK_MS, isRunning: true };
const SHARED = { msPerLook: TICK_MS / 2, isRunning: true };
const WAITS = { msPerLook: 0, isRunning: false };
const STARVED = { msPerLook: 1, isRunning: true };

describe("a thread that is not heard of", () => {
  it("is stuck after the limit if it worked and an extension was at it", () => {
    expect(silent(4, LOOP).isTooLong(TICK_MS, "certain")).toBe(false);
    expect(silent(5, LOOP).isTooLong(TICK_MS, "certain")).toBe(true);
    expect(silent(5, LOOP).isTooLong(TICK_MS, "likely")).toBe(true);
    expect(silent(5, SHARED).isTooLong(TICK_MS, "certain")).toBe(true);
  });

  it("is given six times as long where nothing of an extension is known to run", () => {
    expect(silent(24, LOOP).isTooLong(TICK_MS, "unknown")).toBe(false);
    expect(silent(25, LOOP).isTooLong(TICK_MS, "unknown")).toBe(true);
  });

  it("is given six times as long while it only waits, as for a program", () => {
    expect(silent(24, WAITS).isTooLong(TICK_MS, "certain")).toBe(false);
    expect(silent(25, WAITS).isTooLong(TICK_MS, "certain")).toBe(true);
  });

  it("is never stuck while it could run and gets no processor", () => {
    expect(silent(150, STARVED).isTooLong(TICK_MS, "certain")).toBe(false);
    expect(silent(201, STARVED).isTooLong(TICK_MS, "certain")).toBe(true);
  });

  it("starts anew when it is heard of", () => {
    const silence = silent(25, LOOP);
    silence.end();
    expect(silence.isTooLong(TICK_MS, "certain")).toBe(false);
    expect(silence.ms(TICK_MS)).toBe(0);
  });
});
