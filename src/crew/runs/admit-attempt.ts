import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { agentNamed } from "../../agents/index.ts";
import type { CrewDatabase } from "../database/crew-database.ts";
import type { Attempt } from "../model/run.ts";
import type { AgentChoice, Budget } from "../model/workflow.ts";
import { allowancesFor, withAllowances } from "../policy/allowance.ts";
import { type Account, addUses, NO_USE, reserve, unused } from "../policy/budget.ts";
import { fullPlace, type Seat } from "../policy/concurrency.ts";
import { type CrewContext, crewFolder } from "./crew-context.ts";
import type { Surroundings } from "./try-task.ts";

/** How an attempt begins. */
export interface Beginning {
  readonly choice: AgentChoice;
  /** The session that goes on; absent: a new one. */
  readonly resumes?: string;
  readonly told?: string;
  readonly isReview?: true;
}

export type Admission =
  | { readonly kind: "admitted"; readonly number: number }
  /** No place is free now. */
  | { readonly kind: "full"; readonly reason: string }
  /** Nothing is left to spend. */
  | {
      readonly kind: "refused";
      readonly reason: string;
      readonly of: Account["of"];
      readonly dimension: keyof Budget;
    };

/** How an attempt ends whose machine is gone. */
export const TAKEN_OVER = {
  kind: "ended",
  reason: "Nothing was heard of its machine, so another one took the task over.",
} as const;

/**
 * Decides whether an attempt may begin, and writes it down in the same transaction: what it counted
 * holds. Before the row there is no workspace and no process.
 */
export function admitAttempt(
  crew: CrewContext,
  around: Surroundings,
  beginning: Beginning,
): Promise<Admission> {
  const { store, worker } = crew;
  const { run, task } = around;
  return store.database.transaction(async (database) => {
    const all = await store.openAttempts(database);
    const own = all.filter((one) => one.run === run.id && one.task === task.id);
    const mine = own.find((one) => one.worker === worker);
    // The row was written, and the worker killed before it could say so.
    if (mine) return { kind: "admitted", number: mine.number };
    for (const left of own) await store.endAttempt(left, TAKEN_OVER, database);
    const open = all.filter((one) => !own.includes(one));
    const pools = new Map((await store.runs([], database)).map(({ id, pool }) => [id, pool]));
    const seats = open.map((one): Seat => {
      return { agent: one.agent, pool: pools.get(one.run) ?? "", machine: one.worker };
    });
    const { agent, model } = beginning.choice;
    const seat: Seat = { agent, pool: run.pool ?? "", machine: worker };
    const full = fullPlace(seat, seats, crew.limits.concurrency);
    if (full !== undefined) return { kind: "full", reason: full };
    const earlier = await store.attempts(run.id, undefined, database);
    const reserved = reserve(await accountsOf(crew, around, earlier, open, database));
    if ("refused" in reserved) {
      const { refused: reason, of, dimension } = reserved;
      return { kind: "refused", reason, of, dimension };
    }
    const number = earlier.filter((one) => one.task === task.id).length + 1;
    const { resumes, told, isReview } = beginning;
    const attempt: Attempt = {
      run: run.id,
      task: task.id,
      number,
      agent,
      ...(model !== undefined && { model }),
      worker,
      ...sessionOf(beginning),
      folder: join(crewFolder(crew.home), "runs", run.id, task.id, String(number)),
      ...(resumes !== undefined && { resumes }),
      ...(told !== undefined && { told }),
      ...(isReview && { isReview }),
      ...reserved,
      use: NO_USE,
      startedAt: new Date().toISOString(),
    };
    await store.insertAttempt(attempt, database);
    return { kind: "admitted", number };
  });
}

/** A new session's name is known before it begins, where the agent takes one. */
function sessionOf({ choice, resumes }: Beginning): { session?: string } {
  if (resumes !== undefined) return { session: resumes };
  return agentNamed(choice.agent)?.headless?.takesSessionId ? { session: randomUUID() } : {};
}

/** What the task, the run and the day may use, have used and have promised. */
async function accountsOf(
  crew: CrewContext,
  around: Surroundings,
  ofRun: readonly Attempt[],
  open: readonly Attempt[],
  database: CrewDatabase,
): Promise<Account[]> {
  const { run, task } = around;
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  const since = midnight.toISOString();
  const today = await crew.store.attemptsSince(since, database);
  const runs = await crew.store.runs([], database);
  const account = (of: Account["of"], attempts: readonly Attempt[]) => {
    const allowances = allowancesFor(of, { runs, run: run.id, task: task.id, since });
    const pending = open.filter((one) =>
      attempts.some(
        (other) => one.run === other.run && one.task === other.task && one.number === other.number,
      ),
    );
    return {
      of,
      budget: withAllowances(budgetOf(crew, around, of), allowances),
      used: addUses([NO_USE, ...attempts.map(({ use }) => use)]),
      reserved: addUses([NO_USE, ...pending.map((one) => unused(one.setAside, one.use))]),
    };
  };
  return [
    account(
      "task",
      ofRun.filter((one) => one.task === task.id),
    ),
    account("run", ofRun),
    account("day", today),
  ];
}

/** What a task, its run or the day may use, as it was said before anything was allowed. */
export function budgetOf(
  { limits }: CrewContext,
  { run, spec }: Surroundings,
  of: Account["of"],
): Budget {
  return { task: spec.budget, run: run.budget, day: limits.day }[of];
}
