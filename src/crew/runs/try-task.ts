import { existsSync } from "node:fs";
import { join } from "node:path";
import { CLOSING } from "../engine/leases.ts";
import { instructionsOf, promptOf, specOf } from "../graph/prompt.ts";
import { wordsOf } from "../messages/message.ts";
import { attemptId } from "../model/attempt-id.ts";
import type { Attempt, AttemptEnd, Run, Task } from "../model/run.ts";
import type { Role, TaskSpec } from "../model/workflow.ts";
import {
  type AttemptEvent,
  type AttemptSpec,
  endAttempt,
  startAttempt,
  watchAttempt,
} from "../workers/index.ts";
import { saveWork } from "../workspaces/save-work.ts";
import type { Workspace } from "../workspaces/workspace.ts";
import { type CrewContext, happened, PLACE_SIGNAL } from "./crew-context.ts";
import { isOver } from "./crew-store.ts";
import { CrewTalk } from "./crew-talk.ts";
import { commitMessage } from "./repositories.ts";
import { reviewPrompt, reviewSchema } from "./review.ts";

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
}

/** What use an agent makes of its budget is stored so often. */
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
  const workspace = await pool.take({
    run: run.id,
    task: task.id,
    branch: task.branch,
    base: await baseOf(crew, run),
  });
  const end = attempt.end ?? (await work(crew, around, attempt, workspace, signal));
  const saved = await saveWork(workspace, commitMessage(run, task));
  await crew.repositories.push(run, task.branch);
  for (const text of [...workspace.notes, ...saved.notes]) {
    await happened(crew, { run: run.id, task: task.id, kind: "note", text });
  }
  await crew.store.changeTask(run.id, task.id, (now) => ({ ...now, commit: saved.commit }));
  if (attempt.end === undefined) await over(crew, attempt, end);
  // Cancelled: nothing comes after this, so the folder is given back here.
  const now = await crew.store.task(run.id, task.id);
  if (now && isOver(now)) await pool.release(workspace);
  return { end, ...saved };
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
  await crew.store.changeAttempt(attempt, { workspace: workspace.path });
  try {
    if (!wasStarted(attempt)) await start(crew, around, attempt, spec);
    return await watchAttempt(spec, { signal, onEvent: new Listener(crew, attempt, spec).hear });
  } catch (error) {
    if (!signal.aborted || signal.reason === CLOSING) throw error;
    const reason = "The task was cancelled, or another machine took it over.";
    await endAttempt(spec, reason);
    return { kind: "ended", reason };
  }
}

/** Also the folder tells: the daemon may have been killed before it wrote down what it started. */
function wasStarted({ pid, folder }: Attempt): boolean {
  return pid !== undefined || existsSync(join(folder, "pid"));
}

async function start(
  crew: CrewContext,
  { run, task }: Surroundings,
  attempt: Attempt,
  spec: AttemptSpec,
): Promise<void> {
  const talk = new CrewTalk(crew);
  const words = attempt.isReview ? [] : await talk.take(run.id, task.id);
  const prompt = [spec.prompt, ...words.map(wordsOf)].join("\n\n");
  const named = await startAttempt({ ...spec, prompt });
  await crew.store.changeAttempt(attempt, named);
  await talk.delivered(words);
  const { number, agent, model, resumes } = attempt;
  const who = model === undefined ? agent : `${agent} (${model})`;
  const what = resumes === undefined ? "begins" : "goes on with its session";
  const event = { run: run.id, task: task.id, attempt: number, kind: "attempt" } as const;
  await happened(crew, { ...event, text: `${who} ${what}` });
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
    env: workspace.env,
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
  #storedAt = 0;

  constructor(crew: CrewContext, attempt: Attempt, { id }: AttemptSpec) {
    this.#crew = crew;
    this.#attempt = attempt;
    this.#id = id;
  }

  readonly hear = (event: AttemptEvent): void => {
    this.#crew.outside.show(this.#id, event);
    if (event.kind === "session") this.#store({ session: event.session });
    if (event.kind !== "use") return;
    const now = Date.now();
    if (now - this.#storedAt < USE_EVERY_MS) return;
    this.#storedAt = now;
    this.#store({ use: event.use });
  };

  #store(change: Partial<Attempt>): void {
    this.#crew.store.changeAttempt(this.#attempt, change).catch((error: unknown) => {
      this.#crew.outside.log(`what ${this.#id} used could not be stored: ${String(error)}`);
    });
  }
}
