import { expect, it } from "vitest";
import { noTokens } from "../../events/index.ts";
import { clock, isTold, isUnused, modelName, money, shortIds, tokensLine, when } from "./format.ts";

it("a date is written in one way, and what happens now as a time of day", () => {
  const at = new Date(2026, 4, 3, 7, 5, 9).toISOString();
  expect([when(at), clock(at)]).toEqual(["2026-05-03 07:05", "07:05:09"]);
  expect([when("soon"), clock("soon")]).toEqual(["soon", "soon"]);
});

it("a prepared model is known by its file, all others by their names", () => {
  expect(modelName("scripted//home/dev/turns.json")).toBe("scripted:turns.json");
  expect(modelName("/home/dev/turns.json")).toBe("scripted:turns.json");
  expect(modelName("anthropic/claude-test")).toBe("anthropic/claude-test");
});

it("what is less than a cent is never nothing", () => {
  expect([1.5, 0.0123, 0.0042, 0.00002].map(money)).toEqual(["1.50", "0.01", "0.0042", "<0.0001"]);
});

it("ids are shown as long as it takes to tell them apart", () => {
  const ids = ["01a1e6fe-ad60", "01a1e6fe-b185", "79eb0e2a-2b23", "abc"];
  const short = shortIds(ids);
  expect(ids.map(short)).toEqual(["01a1e6fe-a", "01a1e6fe-b", "79eb0e2a", "abc"]);
});

it("cached is what came out of a cache, not what went into it", () => {
  const usage = {
    input_tokens: 3_550,
    cache_read_tokens: 500,
    cache_creation_tokens: 50,
    output_tokens: 20,
    api_call_count: 2,
  };
  expect(tokensLine(usage)).toBe("4,100 in (500 cached), 20 out, 2 model calls");
});

it("an id that is a name and a time is not cut before the time tells sessions apart", () => {
  const id = "aider-20261117021212-ab12cd";
  expect(shortIds([id])(id)).toBe("aider-20261117021212");
  expect(shortIds([id, "aider-20261117021212-ff00aa"])(id)).toBe("aider-20261117021212-a");
});

it("what used no token and no call is told from what used some", () => {
  const none = noTokens();
  expect(isUnused(none)).toBe(true);
  expect(isUnused({ ...none, api_call_count: 1 })).toBe(false);
  // Some agents keep sums and do not count calls.
  expect(isUnused({ ...none, output_tokens: 3 })).toBe(false);
  expect(isUnused({ ...none, subagent_tokens: { ...none, api_call_count: 1 } })).toBe(false);
  // Nobody knows.
  expect(isUnused(undefined)).toBe(false);
});

it("no tokens of an agent that never says is not the same as none used", () => {
  const none = noTokens();
  const agents = ["claude-code", "Claude Code", "cursor", "Cursor", "nobody-knows"];
  expect(agents.map((agent) => isTold(none, agent))).toEqual([true, true, false, false, true]);
  expect(isTold({ ...none, api_call_count: 1 }, "cursor")).toBe(true);
});
