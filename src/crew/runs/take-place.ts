import type { Flow } from "../engine/engine.ts";
import { amountsIn } from "../files/amounts.ts";
import type { Allowance } from "../model/run.ts";
import type { Budget } from "../model/workflow.ts";
import { type Admission, admitAttempt, type Beginning, budgetOf } from "./admit-attempt.ts";
import { setTaskState } from "./advance-run.ts";
import { askPerson } from "./ask-person.ts";
import { type CrewContext, happened, PLACE_SIGNAL } from "./crew-context.ts";
import { tellBudget } from "./crew-hooks.ts";
import type { Surroundings } from "./try-task.ts";

/** How long a task waits before it looks for a place again, if nobody announces one. */
const PLACE_MS = 600_000;
const POOL_MS = 60_000;

type Refused = Extract<Admission, { kind: "refused" }>;

/** Does something once, and gives back what came of it then. */
export type Step = <Output>(name: string, work: () => Promise<Output>) => Promise<Output>;

/**
 * Takes a place for an attempt, and waits for one as long as there is none. Where a budget is used up
 * a person is asked for more. Refused: the person did not want to spend more.
 */
export async function takePlace(
  crew: CrewContext,
  flow: Flow,
  step: Step,
  around: Surroundings,
  beginning: Beginning,
  round: string,
): Promise<Exclude<Admission, { kind: "full" }>> {
  const { run, task } = around;
  for (let times = 1; ; times++) {
    const admission = await step(`place ${round} ${times}`, async () => {
      const now = await admitAttempt(crew, around, beginning);
      if (now.kind === "full")
        await setTaskState(crew, task, { state: "waiting", reason: now.reason });
      else if (now.kind === "admitted") await setTaskState(crew, task, { state: "running" });
      else tellBudget(crew, run, task, { of: now.of, state: "over", text: now.reason });
      return now;
    });
    if (admission.kind === "admitted") return admission;
    if (admission.kind === "full") {
      // Another machine of the pool may have a place: it can take the flow when the wait is over.
      const soon = Math.min(1_000 * 2 ** times, POOL_MS);
      const until = new Date(Date.now() + (run.pool === undefined ? PLACE_MS : soon));
      await flow.wait(`free ${round} ${times}`, PLACE_SIGNAL, until);
      continue;
    }
    const name = `budget ${round} ${times}`;
    const answer = await askPerson(crew, flow, task, name, questionAbout(around, admission));
    if (answer === GIVE_UP) return admission;
    await step(`allowed ${name}`, async () => {
      await allow(crew, run.id, allowanceIn(crew, around, admission, answer));
      return null;
    });
  }
}

const AS_MUCH = "as much again";
const GIVE_UP = "give up";
/** An amount that somebody might want to add, as an example. */
const SOME: Readonly<Record<keyof Budget, number>> = {
  dollars: 5,
  tokens: 200_000,
  minutes: 30,
  turns: 20,
};

function questionAbout({ run, task }: Surroundings, { reason, of, dimension }: Refused) {
  const title = `"${task.title}" has nothing left to spend. May it have more?`;
  const whose = { run: "", day: " --day", task: ` --task ${task.id}` }[of];
  const message = `${reason[0]?.toUpperCase()}${reason.slice(1)}. Nothing that was done is lost.\n\nSay another amount: seam crew budget ${run.id}${whose} --${dimension} ${SOME[dimension]}`;
  return { kind: "budget", title, message } as const;
}

/** What an answer allows: as much as there was, or the amount in it. Undefined: that was done already. */
function allowanceIn(
  crew: CrewContext,
  around: Surroundings,
  { of }: Refused,
  answer: string,
): Omit<Allowance, "at"> | undefined {
  const more: Budget = answer === AS_MUCH ? budgetOf(crew, around, of) : (amountsIn(answer) ?? {});
  const ofTask = of === "task" ? { task: around.task.id } : {};
  return Object.keys(more).length === 0 ? undefined : { of, more, ...ofTask };
}

/** Writes down that more may be spent. */
export async function allow(
  crew: CrewContext,
  run: string,
  allowance: Omit<Allowance, "at"> | undefined,
): Promise<void> {
  if (!allowance) return;
  const at = new Date().toISOString();
  await crew.store.changeRun(run, (now) => ({
    ...now,
    allowances: [...(now.allowances ?? []), { ...allowance, at }],
  }));
  const amounts = Object.entries(allowance.more).map(([name, amount]) => `${amount} ${name}`);
  const text = `${amounts.join(", ")} more for the ${allowance.of}`;
  const task = allowance.task === undefined ? {} : { task: allowance.task };
  await happened(crew, { run, ...task, kind: "budget", text });
}
