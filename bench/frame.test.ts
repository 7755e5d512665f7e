import { expect, test } from "vitest";
import {
  atLeast,
  atMost,
  type Bench,
  type Case,
  interleave,
  median,
  pairedRatio,
  ratio,
} from "./frame.ts";
import { main } from "./main.ts";

test("the median is the middle, or the mean of the two in the middle", () => {
  expect(median([3])).toBe(3);
  expect(median([9, 1, 5])).toBe(5);
  expect(median([10, 1, 2, 100])).toBe(6);
  expect(() => median([])).toThrow();
});

test("one slow run does not change a ratio", () => {
  expect(ratio([20, 20, 5000], [10, 10, 10])).toBe(2);
});

test("a slow phase of the machine does not change a paired ratio", () => {
  expect(pairedRatio([20, 20, 200, 200, 200], [10, 10, 100, 100, 100])).toBe(2);
  expect(pairedRatio([20, 200, 20], [10, 10, 10])).toBe(2);
  expect(() => pairedRatio([1, 2], [1])).toThrow();
});

test("a bar that is just reached is met", () => {
  const parts = { name: "x", unit: "times", detail: [] };
  expect(atLeast({ ...parts, value: 5, bar: 5 }).ok).toBe(true);
  expect(atLeast({ ...parts, value: 4.99, bar: 5 }).ok).toBe(false);
  expect(atMost({ ...parts, value: 1.2, bar: 1.2 }).ok).toBe(true);
  expect(atMost({ ...parts, value: 1.21, bar: 1.2 }).ok).toBe(false);
});

test("measurements take turns, and warm-up rounds are not counted", async () => {
  const order: string[] = [];
  const measure = (name: string) => async () => order.push(name);
  const series = await interleave({ a: measure("a"), b: measure("b") }, { rounds: 2, warmUps: 1 });
  expect(order).toEqual(["a", "b", "a", "b", "a", "b"]);
  expect(series).toEqual({ a: [3, 5], b: [4, 6] });
});

function benchOf(...values: number[]): Bench {
  return async function* () {
    for (const value of values) {
      yield atLeast({ name: `case ${value}`, value, bar: 5, unit: "times", detail: [] });
    }
  };
}

/** Runs the command with two benchmarks, of which `bad` misses a bar. */
async function run(args: string[], text?: string) {
  const out: string[] = [];
  const err: string[] = [];
  let written: string | undefined;
  const code = await main(args, {
    benches: { good: async () => benchOf(7, 8), bad: async () => benchOf(9, 1) },
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    page: {
      read: () => text,
      write: (changed) => {
        written = changed;
      },
    },
  });
  return { code, out: out.join("\n"), err: err.join("\n"), written };
}

test("the exit code says whether all bars were met", async () => {
  expect((await run(["good"])).code).toBe(0);
  expect((await run(["bad"])).code).toBe(1);
  expect((await run([])).code).toBe(1);
});

test("--json prints one object and nothing else", async () => {
  const { out } = await run(["--json"]);
  const { cases } = JSON.parse(out) as { cases: Case[] };
  expect(cases.map(({ name, value, bar, ok }) => ({ name, value, bar, ok }))).toEqual([
    { name: "case 7", value: 7, bar: 5, ok: true },
    { name: "case 8", value: 8, bar: 5, ok: true },
    { name: "case 9", value: 9, bar: 5, ok: true },
    { name: "case 1", value: 1, bar: 5, ok: false },
  ]);
});

test("the table names what was missed", async () => {
  const { out } = await run(["bad"]);
  expect(out).toContain("MISSED  case 1: 1 times, bar: at least 5");
  expect(out).toContain("1 of 2 missed.");
});

test.each([[["worse"]], [["good", "bad"]], [["--jsn"]]])(
  "%j is refused with the names there are",
  async (args) => {
    const { code, out, err } = await run(args);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toContain("Benchmarks: good, bad");
  },
);

test("--help measures nothing", async () => {
  const { code, out } = await run(["--help", "bad"]);
  expect(code).toBe(0);
  expect(out).toContain("--write-docs");
});

test("--write-docs replaces what stands between the markers of that benchmark", async () => {
  const text =
    "# A\n<!-- bench:good -->\nold\n<!-- /bench -->\n<!-- bench:bad -->\n<!-- /bench -->\n";
  const { written } = await run(["good", "--write-docs"], text);
  expect(written).toContain("| case 7 | 7 times | at least 5 |");
  expect(written).not.toContain("old");
  expect(written).toContain("<!-- bench:bad -->\n<!-- /bench -->");
});

test.each([undefined, "# no markers here"])("a page without a place stays: %j", async (text) => {
  expect((await run(["good", "--write-docs"], text)).written).toBeUndefined();
});
