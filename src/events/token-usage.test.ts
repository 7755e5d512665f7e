import fc from "fast-check";
import { expect, it } from "vitest";
import { addTokens, mismatch, noTokens, type TokenUsage, TokenUsageSchema } from "./index.ts";

const count = fc.nat({ max: 1_000_000 });
const counts = fc.record({
  input_tokens: count,
  cache_creation_tokens: count,
  cache_read_tokens: count,
  output_tokens: count,
  api_call_count: count,
});
/** An agent, its subagents, theirs … */
const usage = fc
  .tuple(counts, fc.array(counts, { maxLength: 3 }))
  .map(([own, below]) =>
    [own, ...below].reduceRight<TokenUsage | undefined>(
      (inner, outer) => (inner ? { ...outer, subagent_tokens: inner } : outer),
      undefined,
    ),
  )
  .map((built) => built ?? noTokens());

const some: TokenUsage = {
  input_tokens: 1,
  cache_creation_tokens: 2,
  cache_read_tokens: 3,
  output_tokens: 4,
  api_call_count: 5,
};

it("every count is added to its own", () => {
  expect(addTokens(some, { ...some, output_tokens: 40 })).toEqual({
    input_tokens: 2,
    cache_creation_tokens: 4,
    cache_read_tokens: 6,
    output_tokens: 44,
    api_call_count: 10,
  });
});

it("subagents are added to subagents, at every level, and never to their parent", () => {
  const deep = { ...some, subagent_tokens: { ...some, subagent_tokens: some } };
  const flat = { ...some, subagent_tokens: some };
  const sum = addTokens(deep, flat);
  expect(sum.input_tokens).toBe(2);
  expect(sum.subagent_tokens?.input_tokens).toBe(2);
  expect(sum.subagent_tokens?.subagent_tokens).toEqual(some);
});

it("without subagents there is no field for them", () => {
  expect(addTokens(some, some)).not.toHaveProperty("subagent_tokens");
  expect(noTokens()).not.toHaveProperty("subagent_tokens");
});

it("adding nothing changes nothing, order does not matter, the terms stay as they are", () => {
  fc.assert(
    fc.property(usage, usage, (a, b) => {
      const before = structuredClone([a, b]);
      expect(addTokens(a, noTokens())).toEqual(a);
      expect(addTokens(a, b)).toEqual(addTokens(b, a));
      expect([a, b]).toEqual(before);
      expect(mismatch(TokenUsageSchema, addTokens(a, b))).toBeUndefined();
    }),
  );
});

it("noTokens gives a new object each time", () => {
  expect(noTokens()).not.toBe(noTokens());
  expect(mismatch(TokenUsageSchema, noTokens())).toBeUndefined();
});

it.each(Object.keys(some))(
  "%s must be there and be a whole number that is not negative",
  (field) => {
    const { [field]: _, ...rest } = { ...some } as Record<string, unknown>;
    expect(mismatch(TokenUsageSchema, rest)).toContain(field);
    for (const wrong of [-1, 1.5, "1", null]) {
      expect(mismatch(TokenUsageSchema, { ...some, [field]: wrong })).toContain(field);
    }
  },
);

it("the tokens of a subagent are checked too", () => {
  const wrong = { ...some, subagent_tokens: { ...some, output_tokens: -1 } };
  expect(mismatch(TokenUsageSchema, wrong)).toContain("subagent_tokens.output_tokens");
});
