import type { Allowance, Run } from "../model/run.ts";
import type { Budget } from "../model/workflow.ts";
import type { Account } from "./budget.ts";

type Amounts = { -readonly [Name in keyof Budget]: Budget[Name] };

/** A budget with what people allowed beyond it. What is not limited stays so. */
export function withAllowances(budget: Budget, allowances: readonly Allowance[]): Budget {
  const sum: Amounts = { ...budget };
  for (const { more } of allowances) {
    for (const name of ["dollars", "tokens", "minutes", "turns"] as const) {
      const limit = sum[name];
      if (limit !== undefined) sum[name] = limit + (more[name] ?? 0);
    }
  }
  return sum;
}

/** What was allowed for one of the budgets that a task is under. */
export function allowancesFor(
  of: Account["of"],
  { runs, run, task, since }: { runs: readonly Run[]; run: string; task: string; since: string },
): readonly Allowance[] {
  return runs.flatMap(({ id, allowances = [] }) =>
    allowances.filter((one) => {
      if (one.of !== of) return false;
      if (of === "day") return one.at >= since;
      return id === run && (of === "run" || one.task === task);
    }),
  );
}
