import { describe, expect, it } from "vitest";
import type { StatsRequest } from "../request.ts";
import { answered, CLAUDE, searchPlace } from "../test-kit/place.ts";
import { Calendar } from "./calendar.ts";
import { priceOf } from "./prices.ts";
import { stats } from "./stats.ts";

const used = (id: string, usage: object, at: string, more: object = {}) =>
  answered("x", { id, usage, ...more }, { timestamp: at });

async function place(files: Readonly<Record<string, string>>, prices = {}) {
  const made = searchPlace();
  for (const [name, text] of Object.entries(files)) made.write(`${CLAUDE}/${name}.jsonl`, text);
  const indexer = made.indexer();
  await indexer.pass();
  const ask = (request: StatsRequest = {}) =>
    made.reading((database) => stats(database, { timezone: "UTC", ...request }, prices));
  return { ...made, indexer, ask };
}

describe("stats", () => {
  const AT = "2026-11-01T10:00:00.000Z";

  it("count a call once: repeated, grown, and brought along into another session", async () => {
    const { ask } = await place({
      a:
        used("m1", { input_tokens: 10, output_tokens: 1 }, AT) +
        used("m1", { input_tokens: 10, output_tokens: 50 }, AT),
      b:
        used("m1", { input_tokens: 10, output_tokens: 50 }, AT) +
        used("m2", { input_tokens: 5, output_tokens: 6 }, "2026-11-02T10:00:00.000Z"),
    });
    expect(ask().rows).toMatchObject([
      { key: "2026-11-01", calls: 1, input: 10, output: 50 },
      { key: "2026-11-02", calls: 1, input: 5, output: 6 },
    ]);
    expect(
      ask({ by: "session" })
        .rows.map(({ key, output }) => [key, output])
        .sort(),
    ).toEqual([
      ["a", 50],
      ["b", 6],
    ]);
  });

  it("cost what the table says, with the cache apart; an hour in it costs more", async () => {
    const usage = {
      input_tokens: 1_000_000,
      output_tokens: 100_000,
      cache_read_input_tokens: 1_000_000,
      cache_creation_input_tokens: 300_000,
      cache_creation: { ephemeral_1h_input_tokens: 100_000 },
    };
    const { ask } = await place({ a: used("m", usage, AT) });
    // 3 + 1.5 + 0.3 + 200k * 3.75 + 100k * 6
    expect(ask().total.cost).toBeCloseTo(3 + 1.5 + 0.3 + 0.75 + 0.6, 10);
  });

  it("what has no price is not guessed, and the total says that it lacks it", async () => {
    const files = {
      a: used("m1", { input_tokens: 10, output_tokens: 1 }, AT, { model: "brand-new-1" }),
      b: used("m2", { input_tokens: 1_000_000, output_tokens: 0 }, AT),
    };
    const { ask } = await place(files);
    const { rows, total, unknownPrices } = ask({ by: "model" });
    expect(rows.find(({ key }) => key === "brand-new-1")).not.toHaveProperty("cost");
    expect(total).toMatchObject({ cost: 3, unpriced: 1 });
    expect(unknownPrices).toEqual(["brand-new-1"]);
    const own = await place(files, {
      "brand-new": { input: 1, output: 1 },
      "brand-new-1": { input: 100_000, output: 0 },
    });
    expect(own.ask({ by: "model" }).rows[0]).toMatchObject({ key: "claude-sonnet-4-6" });
    expect(own.ask().total.cost).toBeCloseTo(3 + 1, 10);
  });

  it("days are those of the time zone that is asked for", async () => {
    const { ask } = await place({
      a: used("m", { input_tokens: 1, output_tokens: 1 }, "2026-11-01T23:30:00.000Z"),
    });
    expect(ask().rows[0]?.key).toBe("2026-11-01");
    expect(ask({ timezone: "Asia/Kathmandu" }).rows[0]?.key).toBe("2026-11-02");
    expect(ask({ by: "week" }).rows[0]?.key).toBe("2026-10-26");
    expect(ask({ by: "month" }).rows[0]?.key).toBe("2026-11");
    expect(ask({ since: "2026-11-02" }).rows).toEqual([]);
  });

  it("weeks begin on Monday", () => {
    const calendar = new Calendar("UTC");
    expect(calendar.name("week", Date.UTC(2026, 10, 16))).toBe("2026-11-16");
    expect(calendar.name("week", Date.UTC(2026, 10, 15))).toBe("2026-11-09");
  });
});

describe("prices", () => {
  it.each([
    ["claude-opus-4-8", 5],
    ["claude-opus-4-20250514", 15],
    ["claude-opus-4-1-20250805", 15],
    ["anthropic/claude-haiku-4-5@20251001", 1],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", 3],
    ["gpt-5.4-mini", 0.75],
    ["gpt-5-codex", 1.25],
    ["gemini-2.5-pro", 1.25],
  ])("of %s", (model, input) => {
    expect(priceOf(model, {})?.input).toBe(input);
  });

  it.each(["", "gpt-5.9", "gpt-5-ultra", "claude-opus-9", "claude", "llama-3"])(
    "of %j are not known",
    (model) => {
      expect(priceOf(model, {})).toBeUndefined();
    },
  );
});
