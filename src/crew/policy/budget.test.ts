import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import type { Use } from "../model/run.ts";
import { type Account, addUses, NO_USE, overBudget, remaining, reserve, unused } from "./budget.ts";

const used = (rest: Partial<Use>): Use => ({ ...NO_USE, ...rest });
const account = (
  of: Account["of"],
  budget: Account["budget"],
  rest: Partial<Account> = {},
): Account => ({
  of,
  budget,
  used: NO_USE,
  reserved: NO_USE,
  ...rest,
});

describe("budgets", () => {
  it("what is not limited is never used up", () => {
    expect(overBudget({}, used({ tokens: 1e9, dollars: 1e6 }))).toBeUndefined();
    expect(remaining({}, used({ tokens: 5 }))).toEqual({});
  });

  it("says what is used up, in words", () => {
    expect(overBudget({ dollars: 2 }, used({ dollars: 2.1 }))).toBe("$2.10 of $2.00 are used");
    expect(overBudget({ tokens: 1000 }, used({ tokens: 1000 }))).toBe(
      "1,000 tokens of 1,000 tokens are used",
    );
    expect(overBudget({ dollars: 2, turns: 5 }, used({ dollars: 1, turns: 4 }))).toBeUndefined();
  });

  it("a budget of 0 lets nothing start", () => {
    expect(reserve([account("run", { dollars: 0 })])).toEqual({
      refused: "nothing is left of the $0.00 of the run",
      of: "run",
      dimension: "dollars",
    });
  });

  it("grants the least that task, run and day have left", () => {
    const accounts = [
      account("task", { dollars: 3, turns: 10 }, { used: used({ dollars: 1 }) }),
      account(
        "run",
        { dollars: 10 },
        { used: used({ dollars: 5 }), reserved: used({ dollars: 4 }) },
      ),
      account("day", { tokens: 1000 }, { used: used({ tokens: 400 }) }),
    ];
    expect(reserve(accounts)).toEqual({
      granted: { dollars: 1, turns: 10, tokens: 600 },
      setAside: { dollars: 1, turns: 10 },
    });
  });

  it("tasks without a budget of their own do not keep each other from starting", () => {
    expect(reserve([account("task", {}), account("run", { dollars: 10 })])).toEqual({
      granted: { dollars: 10 },
      setAside: {},
    });
  });

  it("what was promised to others cannot be promised again", () => {
    const budget = { dollars: 5 };
    const first = reserve([account("task", { dollars: 3 }), account("run", budget)]);
    const reserved = "setAside" in first ? unused(first.setAside, NO_USE) : NO_USE;
    const second = reserve([account("task", { dollars: 3 }), account("run", budget, { reserved })]);
    expect(second).toMatchObject({ granted: { dollars: 2 } });
    const both = addUses([reserved, used({ dollars: 2 })]);
    expect(reserve([account("run", budget, { reserved: both })])).toHaveProperty("refused");
  });

  it("whatever was promised, the promises together are never more than the budget", () => {
    const tasks = fc.array(fc.double({ min: 0.01, max: 5, noNaN: true }), { maxLength: 12 });
    fc.assert(
      fc.property(tasks, fc.double({ min: 0, max: 10, noNaN: true }), (wanted, limit) => {
        let reserved = NO_USE;
        for (const dollars of wanted) {
          const got = reserve([
            account("task", { dollars }),
            account("run", { dollars: limit }, { reserved }),
          ]);
          if ("setAside" in got) reserved = addUses([reserved, unused(got.setAside, NO_USE)]);
        }
        expect(reserved.dollars ?? 0).toBeLessThanOrEqual(limit + 1e-9);
      }),
      runs(500),
    );
  });

  it("money is not known if it is known of none, and counted as far as it is", () => {
    expect(addUses([used({ tokens: 1 })])).not.toHaveProperty("dollars");
    expect(addUses([used({ tokens: 1 }), used({ dollars: 2, turns: 1 })])).toEqual({
      dollars: 2,
      tokens: 1,
      minutes: 0,
      turns: 1,
    });
  });
});
