import type { Use } from "../model/run.ts";
import type { Budget } from "../model/workflow.ts";

type Dimension = keyof Budget;
type Amounts = { -readonly [Name in Dimension]?: number | undefined };

/** What can be limited, and how an amount of it is said. */
const DIMENSIONS: Readonly<Record<Dimension, (amount: number) => string>> = {
  dollars: (amount) => `$${amount.toFixed(2)}`,
  tokens: (amount) => `${Math.round(amount).toLocaleString("en-US")} tokens`,
  minutes: (amount) => `${Math.round(amount * 10) / 10} minutes`,
  turns: (amount) => `${amount} turns`,
};
const NAMES = Object.keys(DIMENSIONS) as Dimension[];

export const NO_USE: Use = { tokens: 0, minutes: 0, turns: 0 };

/** What several uses are together. Money is known if it is known of one of them. */
export function addUses(uses: readonly Use[]): Use {
  const sum = (of: (use: Use) => number) => uses.reduce((all, use) => all + of(use), 0);
  const isKnown = uses.some(({ dollars }) => dollars !== undefined);
  return {
    ...(isKnown && { dollars: sum(({ dollars = 0 }) => dollars) }),
    tokens: sum(({ tokens }) => tokens),
    minutes: sum(({ minutes }) => minutes),
    turns: sum(({ turns }) => turns),
  };
}

/** What of a budget is left, never less than nothing. */
export function remaining(budget: Budget, use: Use): Budget {
  const left: Amounts = {};
  for (const name of NAMES) {
    const limit = budget[name];
    if (limit !== undefined) left[name] = Math.max(0, limit - (use[name] ?? 0));
  }
  return left;
}

/** A part of a budget, in all that it limits. */
export function partOf(budget: Budget, part: number): Budget {
  const amounts = Object.entries(budget).map(([name, amount]) => [name, amount * part]);
  return Object.fromEntries(amounts);
}

/** Why a budget is used up, in words; undefined while it is not. */
export function overBudget(budget: Budget, use: Use): string | undefined {
  const name = NAMES.find((one) => {
    const limit = budget[one];
    return limit !== undefined && (use[one] ?? 0) >= limit;
  });
  if (name === undefined) return undefined;
  const say = DIMENSIONS[name];
  return `${say(use[name] ?? 0)} of ${say(budget[name] ?? 0)} are used`;
}

/** One level that a budget is for, and what is used and promised of it. */
export interface Account {
  readonly of: "task" | "run" | "day";
  readonly budget: Budget;
  readonly used: Use;
  /** What attempts that run now have been granted and not used yet. */
  readonly reserved: Use;
}

export type Reservation =
  | {
      /** What the attempt may use: more than that ends it. */
      readonly granted: Budget;
      /** What others may not count on while it runs: what its task's own budget promises it. */
      readonly setAside: Budget;
    }
  | { readonly refused: string; readonly of: Account["of"]; readonly dimension: Dimension };

/**
 * What an attempt may use, decided before it starts: the least that any level has left. A level
 * that has nothing left refuses. What no level limits is not limited. Tasks without a budget of
 * their own share what the run has left, so that one of them does not keep the others from starting.
 */
export function reserve(accounts: readonly Account[]): Reservation {
  const granted: Amounts = {};
  for (const { of, budget, used, reserved } of accounts) {
    const left = remaining(budget, addUses([used, reserved]));
    for (const name of NAMES) {
      const amount = left[name];
      if (amount === undefined) continue;
      if (amount <= 0) {
        const limit = DIMENSIONS[name](budget[name] ?? 0);
        return { refused: `nothing is left of the ${limit} of the ${of}`, of, dimension: name };
      }
      granted[name] = Math.min(granted[name] ?? amount, amount);
    }
  }
  const own = accounts.find(({ of }) => of === "task")?.budget ?? {};
  const setAside: Amounts = {};
  for (const name of NAMES) if (own[name] !== undefined) setAside[name] = granted[name];
  return { granted, setAside };
}

/** What of an amount that was set aside is not used yet. */
export function unused(setAside: Budget, use: Use): Use {
  return { ...NO_USE, ...remaining(setAside, use) };
}
