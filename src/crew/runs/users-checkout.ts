import type { CheckoutState } from "../containment/checkout-state.ts";
import { type FoundChanges, WatchedCheckout } from "../containment/watched-checkout.ts";
import type { Attempt, Run, Task } from "../model/run.ts";
import { type CrewContext, happened } from "./crew-context.ts";

/** So many of the changes are named to a person; the folder has all of them. */
const MOST_NAMED = 20;

const DO_NOT_ASK = "it was me, do not ask again";

/** What a person is asked about changes that an attempt may have made. */
export interface CheckoutQuestion {
  readonly kind: "checkout";
  readonly title: string;
  readonly message: string;
}

/** The checkout in which a run was started, watched for one of its attempts. Undefined: it is on another machine. */
export function checkoutFor(
  { worker }: Pick<CrewContext, "worker">,
  run: Run,
  { folder }: Pick<Attempt, "folder">,
): WatchedCheckout | undefined {
  return run.origin === worker ? new WatchedCheckout(run.repository, folder) : undefined;
}

/**
 * Compares the user's checkout with what it was before an attempt. A change is told in the run and
 * asked about, once for all attempts that were at work; undefined: there is nothing to ask.
 */
export async function checkoutQuestion(
  crew: CrewContext,
  run: Run,
  task: Task,
  attempt: Attempt,
): Promise<CheckoutQuestion | undefined> {
  const changes = await checkoutFor(crew, run, attempt)?.end();
  if (!changes) return undefined;
  const others = (await atWork(crew, run.repository)).filter(
    (one) => one.run !== attempt.run || one.task !== attempt.task,
  );
  for (const other of others) checkoutFor(crew, run, other)?.explain(changes.before, changes.after);
  const names = [...changes.files, ...changes.repository];
  const text = `while it was at work, ${names.length} things changed in ${run.repository}: see ${changes.folder}`;
  await happened(crew, { run: run.id, task: task.id, kind: "note", text });
  if (await isOwnWork(crew, run.id)) return undefined;
  return questionOf(run, task, changes, [...new Set(others.map((one) => one.task))]);
}

function questionOf(
  run: Run,
  { title }: Task,
  { files, repository, folder }: FoundChanges,
  others: readonly string[],
): CheckoutQuestion {
  const all = [...files, ...repository];
  const more = all.length > MOST_NAMED ? [`and ${all.length - MOST_NAMED} more`] : [];
  const too = others.length > 0 ? [`At work at the same time: ${others.join(", ")}.`] : [];
  return {
    kind: "checkout",
    title: `Who changed ${run.repository} while "${title}" was at work?`,
    message: [
      ...all.slice(0, MOST_NAMED),
      ...more,
      "",
      `What was there before and what is there now is kept in ${folder}.`,
      ...too,
      "Nothing kept the agent out of your checkout: bubblewrap, which does that, is not installed or does not work here.",
    ].join("\n"),
  };
}

/** Whether the user said that what changes in the checkout during this run is their own work. */
async function isOwnWork({ store }: CrewContext, run: string): Promise<boolean> {
  const questions = await store.questions(run);
  return questions.some(({ kind, answer }) => kind === "checkout" && answer === DO_NOT_ASK);
}

/** Tells all attempts under way in a repository that Seam itself changed its checkout. */
export async function explainCheckout(
  crew: CrewContext,
  repository: string,
  from: CheckoutState,
  to: CheckoutState,
): Promise<void> {
  for (const attempt of await atWork(crew, repository)) {
    new WatchedCheckout(repository, attempt.folder).explain(from, to);
  }
}

/** The attempts under way that could change a checkout. */
export async function atWork(
  { store, worker }: Pick<CrewContext, "store" | "worker">,
  repository: string,
): Promise<Attempt[]> {
  const found: Attempt[] = [];
  for (const attempt of await store.openAttempts()) {
    const run = await store.run(attempt.run);
    if (run?.repository !== repository || run.origin !== worker) continue;
    if (new WatchedCheckout(repository, attempt.folder).isWatched) found.push(attempt);
  }
  return found;
}
