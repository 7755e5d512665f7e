import { existsSync } from "node:fs";
import { join } from "node:path";
import { CLOSING } from "../engine/leases.ts";
import { instructionsOf, promptOf, specOf } from "../graph/prompt.ts";
import { wordsOf } from "../messages/message.ts";
import { attemptId } from "../model/attempt-id.ts";
import type { Attempt, AttemptEnd, Run, Task, Use } from "../model/run.ts";
import type { Role, TaskSpec } from "../model/workflow.ts";
import { overBudget, partOf } from "../policy/budget.ts";
import {
  type AttemptEvent,
  type AttemptSpec,
  endAttempt,
  startAttempt,
  wallsAround,
  watchAttempt,
} from "../workers/index.ts";
import { type SavedWork, saveWork, unchangedWork } from "../workspaces/save-work.ts";
import type { Workspace } from "../workspaces/workspace.ts";
import { commitMessage } from "./commit-message.ts";
import { type CrewContext, happened, PLACE_SIGNAL } from "./crew-context.ts";
import { tellBudget } from "./crew-hooks.ts";
import { isOver } from "./crew-store.ts";
import { CrewTalk } from "./crew-talk.ts";
import { type FoundSecrets, findSecrets } from "./found-secrets.ts";
import { reviewPrompt, reviewSchema } from "./review.ts";
import { environmentOf } from "./run-environment.ts";
import { checkoutFor } from "./users-checkout.ts";

/** How an attempt ends that nobody waits for any more. */
const CANCELLED = {
  kind: "ended",
  reason: "The task was cancelled, or another machine took it over.",
} as const;

/** A step is interrupted for good, and not because this process ends. */
const isCancelled = ({ aborted, reason }: AbortSignal) => aborted && reason !== CLOSING;

/** Everything around one attempt, as it is at this moment. */
export interface Surroundings {
  readonly run: Run;
  readonly task: Task;
  readonly spec: TaskSpec;
  readonly role: Role;
  readonly tasks: readonly Task[];
}

/** What an attempt did, as far as its task has to know. */
export interface Tried {
  readonly end: AttemptEnd;
  readonly commit: string;
  readonly changed: readonly string[];
  readonly unresolved: readonly string[];
  /** What was odd about its workspace, in whole sentences. */
  readonly notes?: readonly string[];
  /** Files that are in the workspace and not in the commit. */
  readonly leftOut?: readonly string[];
  /** What in it looks like a secret: a person decides before it is merged or leaves this machine. */
  readonly secrets?: readonly string[];
}

/** The part of a budget after which its end is announced. */
const NEAR = 0.8;

/** How often the use of a budget is stored. */
const USE_EVERY_MS = 2_000;

/**
 * Does one attempt, or joins it: the row was there first, then come the workspace and the process.
 * Whoever comes here again after a crash finds as much of that as there was, and goes on from there.
 */
export async function tryTask(
  crew: CrewContext,
  around: Surroundings,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<Tried> {
  const { run, task } = around;
  const pool = await crew.repositories.poolFor(run);
  const base = await baseOf(crew, run);
  const { sparse } = around.spec;
  const place = { run: run.id, task: task.id, branch: task.branch, base, sparse, signal };
  const workspace = await pool.take(place).catch(async (error: unknown) => {
    if (isCancelled(signal)) await over(crew, attempt, CANCELLED);
    throw error;
  });
  const end = attempt.end ?? (await work(crew, around, attempt, workspace, signal));
  // Who may only read has changed nothing, as a rule, and that is seen sooner than it is saved.
  const isReader = attempt.isReview || around.role.access === "read";
  const saved =
    (isReader && (await unchangedWork(workspace))) ||
    (await saveWork(workspace, commitMessage(crew, around, attempt)));
  const [{ sure: secrets, random }] = await Promise.all([
    searched(crew, run, workspace, saved),
    saved.changed.length > 0 && crew.outside.committed(workspace.path, saved.commit),
  ]);
  if (secrets.length === 0) {
    await crew.repositories.push(run, task.branch, () => isStillOurs(crew, task));
  }
  const odd = random.map((one) => `This looks like a key or the id of something: ${one}.`);
  for (const text of [...workspace.notes, ...saved.notes, ...odd]) {
    await happened(crew, { run: run.id, task: task.id, kind: "note", text });
  }
  await crew.store.changeTask(run.id, task.id, (now) => ({ ...now, commit: saved.commit }));
  if (attempt.end === undefined) await over(crew, attempt, end);
  // Cancelled: nothing comes after this, so the folder is given back here.
  const now = await crew.store.task(run.id, task.id);
  if (now && isOver(now)) await pool.release(workspace);
  return { end, ...saved, secrets };
}

/** Whether no other machine has taken a task over from this one. */
export async function isStillOurs(crew: CrewContext, { run, id }: Task): Promise<boolean> {
  const last = (await crew.store.attempts(run, id)).at(-1);
  return last?.worker === crew.worker && last.end?.kind !== "ended";
}

async function searched(
  crew: CrewContext,
  run: Run,
  workspace: Workspace,
  { changed, commit }: SavedWork,
): Promise<FoundSecrets> {
  if (changed.length === 0 && commit === workspace.base) return { sure: [], random: [] };
  return findSecrets(workspace, commit, run.target, crew.outside.log);
}

/** A task begins with everything that was merged so far, so with the work of those it depends on. */
async function baseOf(crew: CrewContext, run: Run): Promise<string> {
  await crew.repositories.fetch(run);
  return `refs/heads/${run.target}`;
}

async function work(
  crew: CrewContext,
  around: Surroundings,
  attempt: Attempt,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const spec = attemptSpec(crew, around, attempt, workspace);
  const listener = new Listener(crew, around.run, attempt, spec);
  await crew.store.changeAttempt(attempt, { workspace: workspace.path });
  try {
    if (!wasStarted(attempt)) await start(crew, around, attempt, spec);
    return await watchAttempt(spec, { signal, onEvent: listener.hear });
  } catch (error) {
    if (!isCancelled(signal)) throw error;
    await endAttempt(spec, CANCELLED.reason);
    return CANCELLED;
  } finally {
    await listener.settle();
  }
}

/**
 * The folder is looked at, too: the daemon may have been killed before it wrote down what it
 * started.
 */
export function wasStarted({ pid, folder }: Attempt): boolean {
  return pid !== undefined || existsSync(join(folder, "pid"));
}

async function start(
  crew: CrewContext,
  { run, task }: Surroundings,
  attempt: Attempt,
  spec: AttemptSpec,
): Promise<void> {
  const talk = new CrewTalk(crew);
  const [inside, words] = await Promise.all([
    wallsAround(spec),
    attempt.isReview ? [] : talk.take(run.id, task.id),
    // A machine that loses its power now must know afterwards that this attempt was begun.
    crew.store.database.settled(),
  ]);
  const prompt = [spec.prompt, ...words.map(wordsOf)].join("\n\n");
  if (inside.length === 0) await checkoutFor(crew, run, attempt)?.begin();
  const named = await startAttempt({ ...spec, prompt }, inside);
  await crew.store.changeAttempt(attempt, named);
  await talk.delivered(words);
  const { number, agent, model, resumes } = attempt;
  const who = model === undefined ? agent : `${agent} (${model})`;
  // What happens comes first: a long model is cut off where the line ends.
  const what = resumes === undefined ? "begins" : "goes on with its session";
  const event = { run: run.id, task: task.id, attempt: number, kind: "attempt" } as const;
  await happened(crew, { ...event, text: `${what}: ${who}` });
}

/** The attempt has ended, and its place is free. */
async function over(crew: CrewContext, attempt: Attempt, end: AttemptEnd): Promise<void> {
  await crew.store.endAttempt(attempt, end);
  await crew.engine.signal(PLACE_SIGNAL);
  const { run, task, number } = attempt;
  const text = "reason" in end ? `${end.kind}: ${end.reason}` : end.kind;
  await happened(crew, { run, task, attempt: number, kind: "attempt", text });
}

/** What the workers are told of an attempt: the same whenever it is asked. */
function attemptSpec(
  crew: CrewContext,
  { run, task, spec, role, tasks }: Surroundings,
  attempt: Attempt,
  workspace: Workspace,
): AttemptSpec {
  const { isReview, told, model, resumes, session, agent, folder, granted } = attempt;
  const { workflow, goal } = run;
  const asked = isReview
    ? reviewPrompt(task, goal, workspace.base)
    : resumes !== undefined && told !== undefined
      ? told
      : [promptOf(workflow, task, tasks, goal), told ?? ""].join("\n\n").trim();
  const schema = isReview ? reviewSchema : spec.result;
  const access = isReview ? "read" : role.access;
  return {
    id: attemptId(attempt),
    agent,
    ...(model !== undefined && { model }),
    prompt: `${asked}\n`,
    instructions: isReview ? role.instructions : instructionsOf(workflow, task, tasks),
    cwd: workspace.path,
    env: { ...environmentOf(crew, run), ...workspace.env },
    ...(schema !== undefined && { schema }),
    ...(spec.files !== undefined && !isReview && { files: spec.files }),
    access,
    allowCommands: role.allowCommands,
    mayPush: role.mayPush,
    ...(resumes !== undefined ? { resume: resumes } : session !== undefined && { session }),
    budget: granted,
    stallMinutes: spec.stallMinutes,
    folder,
    home: crew.home,
  };
}

/** What is declared of a task, and the role it is done in. Undefined if it is not known any more. */
export async function surroundingsOf(
  crew: CrewContext,
  runId: string,
  taskId: string,
): Promise<Surroundings | undefined> {
  const run = await crew.store.run(runId);
  const tasks = await crew.store.tasks(runId);
  const task = tasks.find(({ id }) => id === taskId);
  const spec = run && task && specOf(run.workflow, task, tasks);
  const role = spec && run.workflow.roles[spec.role];
  return role && { run, task, spec, role, tasks };
}

/** Hears what an agent does, and stores what has to be known after a crash. */
class Listener {
  readonly #crew: CrewContext;
  readonly #attempt: Attempt;
  readonly #id: string;
  readonly #run: Run;
  #storedAt = 0;
  #use: Use | undefined;
  #isNear = false;

  constructor(crew: CrewContext, run: Run, attempt: Attempt, { id }: AttemptSpec) {
    this.#crew = crew;
    this.#run = run;
    this.#attempt = attempt;
    this.#id = id;
  }

  readonly hear = (event: AttemptEvent): void => {
    this.#crew.outside.show(this.#id, event);
    if (event.kind === "session") this.#store({ session: event.session });
    if (event.kind !== "use") return;
    this.#look(event.use);
    this.#use = event.use;
    const now = Date.now();
    if (now - this.#storedAt < USE_EVERY_MS) return;
    this.#storedAt = now;
    this.#store({ use: event.use });
  };

  /** Stores what was used last: budgets are counted with it. */
  async settle(): Promise<void> {
    if (this.#use) await this.#crew.store.changeAttempt(this.#attempt, { use: this.#use });
  }

  /** Says once that the end of what the attempt was given comes near. */
  #look(use: Use): void {
    const { granted, setAside, task } = this.#attempt;
    const text = this.#isNear ? undefined : overBudget(partOf(granted, NEAR), use);
    if (text === undefined) return;
    this.#isNear = true;
    const of = Object.keys(setAside).length > 0 ? "task" : "run";
    tellBudget(this.#crew, this.#run, { id: task, use }, { of, state: "near", text });
  }

  #store(change: Partial<Attempt>): void {
    this.#crew.store.changeAttempt(this.#attempt, change).catch((error: unknown) => {
      this.#crew.outside.log(`what ${this.#id} used could not be stored: ${String(error)}`);
    });
  }
}
