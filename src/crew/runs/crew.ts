import { randomBytes } from "node:crypto";
import { messageOf, SeamError } from "../../errors/index.ts";
import { headOf, openRepo } from "../../git/index.ts";
import { isRecord } from "../../values/index.ts";
import type { CrewDatabase, Json } from "../database/crew-database.ts";
import { openEngine } from "../engine/open-engine.ts";
import { planTasks } from "../graph/next-steps.ts";
import type { LandResult } from "../merge/land-on.ts";
import type { CrewQuestion } from "../model/crew-question.ts";
import type { Allowance, Run, Task } from "../model/run.ts";
import type { RunEvent } from "../model/run-event.ts";
import type { AgentChoice, Budget, Workflow } from "../model/workflow.ts";
import { choicesFor } from "../policy/ladder.ts";
import { beginFlow, ensureRunFlow, runFlow } from "./advance-run.ts";
import { answerQuestion } from "./ask-person.ts";
import { type CheckUp, checkUp } from "./check-up.ts";
import { type Cleaned, cleanRun } from "./clean-run.ts";
import {
  type CrewContext,
  type CrewLimits,
  happened,
  type Outside,
  runKey,
  taskKey,
  unknownRun,
  unknownTask,
} from "./crew-context.ts";
import { refusedStart, tellRunEnd, tellTaskEnd } from "./crew-hooks.ts";
import { CrewStore, isOver } from "./crew-store.ts";
import { CrewTalk } from "./crew-talk.ts";
import { ensureTarget } from "./ensure-target.ts";
import { isAnythingMoving } from "./is-anything-moving.ts";
import { joinWorkers } from "./join-workers.ts";
import { landRun } from "./land-run.ts";
import { putAway } from "./put-away.ts";
import { reconcile } from "./reconcile.ts";
import { Repositories } from "./repositories.ts";
import { dropEnvironment, type Environment, keepEnvironment } from "./run-environment.ts";
import type { RunReport } from "./run-report.ts";
import { withSilentWorkers } from "./silent-workers.ts";
import { allow } from "./take-place.ts";
import { taskFlow } from "./task-flow.ts";
import { withTrouble } from "./trouble.ts";

export interface CrewOptions {
  readonly database: CrewDatabase;
  readonly home: string;
  readonly worker: string;
  readonly pools: readonly string[];
  readonly leaseMs?: number;
  /** Other machines use the database too. */
  readonly isShared?: boolean;
  readonly slots?: string;
  readonly limits: CrewLimits;
  readonly outside: Outside;
}

/** What a run is started with. */
export interface StartRequest {
  readonly workflow: Workflow;
  readonly goal: string;
  readonly repository: string;
  readonly agents: readonly AgentChoice[];
  readonly budget: Budget;
  readonly pool?: string;
  readonly remote?: string;
  /** The branch that gets its result when it is done. */
  readonly landsOn?: string;
  /** Of whoever starts it. */
  readonly environment?: Environment;
}

/** What may be spent beyond a budget. */
export type AllowRequest = Omit<Allowance, "at">;

/** Runs of several agents, on this machine. */
export class Crew {
  readonly #context: CrewContext;
  readonly #leave: () => void;

  private constructor(context: CrewContext, leave: () => void) {
    this.#context = context;
    this.#leave = leave;
  }

  /** What its members say to each other. */
  get talk(): CrewTalk {
    return new CrewTalk(this.#context);
  }

  get worker(): string {
    return this.#context.worker;
  }

  /** Opens what there is, and goes on with everything that was under way. */
  static async open(options: CrewOptions): Promise<Crew> {
    const { database, home, worker, leaseMs, limits, outside, slots } = options;
    const log = (text: string) => outside.log(text);
    // Whoever has the name now goes on with what was under way here.
    const lost = (reason: string) => {
      log(`this worker takes no more tasks: ${reason}`);
      engine.close().catch((error: unknown) => log(messageOf(error)));
    };
    const leave = options.isShared ? await joinWorkers(database, worker, { log, lost }) : () => {};
    const store = new CrewStore(database);
    const repositories = new Repositories({ home, worker, ...(slots !== undefined && { slots }) });
    const engine = await openEngine({
      database,
      worker,
      ...(leaseMs !== undefined && { leaseMs }),
      flows: {
        run: (flow, input) => runFlow(context, flow, String(input)),
        task: (flow, input) => taskFlow(context, flow, taskIn(input)),
      },
      log,
    });
    const context: CrewContext = { store, engine, repositories, home, worker, limits, outside };
    await reconcile(context);
    engine.work(options.pools);
    return new Crew(context, leave);
  }

  async start(request: StartRequest): Promise<Run> {
    const { workflow, goal, agents, budget, pool, remote, landsOn } = request;
    if (goal.trim() === "") throw new SeamError("SEAM_CREW_GOAL");
    checkAgents(workflow, agents);
    const repo = await openRepo(request.repository);
    if (!repo) throw new SeamError("SEAM_CREW_NO_REPO", { path: request.repository });
    const base = (await headOf(repo)).commit;
    if (base === undefined)
      throw new SeamError("SEAM_CREW_NO_COMMIT", { path: request.repository });
    const id = newId();
    const run: Run = {
      id,
      goal,
      workflow,
      repository: repo.workTree ?? repo.gitDir,
      base,
      target: `seam/crew/${id}`,
      state: "running",
      budget,
      agents,
      origin: this.#context.worker,
      ...(pool !== undefined && { pool }),
      ...(remote !== undefined && { remote }),
      ...(landsOn !== undefined && { landsOn }),
      flows: 1,
      startedAt: new Date().toISOString(),
    };
    const refused = await refusedStart(this.#context, run);
    if (refused !== undefined) throw new SeamError("SEAM_CREW_REFUSED", { reason: refused });
    if (request.environment) keepEnvironment(this.#context.home, id, request.environment);
    await this.#context.store.insertRun(run, planTasks(workflow, id));
    await happened(this.#context, { run: id, kind: "run", state: "running", text: goal });
    await ensureTarget(this.#context, run);
    await ensureRunFlow(this.#context, run);
    return run;
  }

  /** Newest first. */
  async list(): Promise<Run[]> {
    return (await this.#context.store.runs()).map((run) => withTrouble(this.#context, run));
  }

  async show(id: string): Promise<RunReport> {
    const { store } = this.#context;
    const run = await this.#run(id);
    const [tasks, attempts, proofs, questions, messages] = await Promise.all([
      store.tasks(run.id),
      store.attempts(run.id),
      store.proofs(run.id),
      store.questions(run.id),
      this.talk.messages({ run: run.id }),
    ]);
    return {
      run: withTrouble(this.#context, run),
      tasks: await withSilentWorkers(this.#context, run, tasks, attempts),
      attempts,
      proofs,
      questions,
      messages,
    };
  }

  async events(id: string, after: number): Promise<RunEvent[]> {
    return this.#context.store.events((await this.#run(id)).id, after);
  }

  /** Questions that wait for the people of this machine. */
  openQuestions(): Promise<CrewQuestion[]> {
    return this.#context.store.openQuestions(this.#context.worker);
  }

  /** Whether something moves by itself; what waits for a person does not. */
  isBusy(): Promise<boolean> {
    return isAnythingMoving(this.#context);
  }

  /** Ends everything of a run. What its agents did by then is on their branches. */
  async cancel(id: string): Promise<Run> {
    const { store, engine } = this.#context;
    const endedAt = new Date().toISOString();
    const reason = "It was cancelled.";
    const before = await this.#run(id);
    const run = await store.changeRun(before.id, (now) =>
      now.endedAt === undefined ? { ...now, state: "cancelled", reason, endedAt } : undefined,
    );
    if (!run) throw stateError(`the run is ${before.state}`, `seam crew show ${before.id}`);
    for (const task of await store.tasks(run.id)) {
      if (isOver(task)) continue;
      await store.changeTask(run.id, task.id, (now) => ({
        ...now,
        state: "cancelled",
        reason,
        endedAt,
      }));
      await engine.cancel(taskKey(run.id, task.id, task.retries));
      await tellTaskEnd(this.#context, { ...task, state: "cancelled", reason });
    }
    await engine.cancel(runKey(run.id, run.flows));
    for (const question of await store.questions(run.id)) {
      if (question.answer === undefined)
        await answerQuestion(this.#context, question.id, "cancelled");
    }
    await happened(this.#context, { run: run.id, kind: "run", state: "cancelled", text: reason });
    await putAway(this.#context, run);
    dropEnvironment(this.#context.home, run.id);
    await tellRunEnd(this.#context, run);
    return run;
  }

  /** Lets everything begin again that failed, was skipped or cancelled. */
  async resume(id: string, environment?: Environment): Promise<Run> {
    const run = await this.#run(id);
    if (run.endedAt === undefined) {
      throw stateError(`the run is ${run.state}`, `Follow it: seam crew status ${run.id} -f`);
    }
    const tasks = await this.#context.store.tasks(run.id);
    const left = tasks.filter(({ state }) => ["failed", "skipped", "cancelled"].includes(state));
    if (left.length === 0)
      throw stateError("all its tasks are done", `Take it: seam crew land ${run.id}`);
    return this.#again(run, left, environment);
  }

  /** Lets one task begin again, and those that were skipped because of it. */
  async retry(id: string, taskId: string, environment?: Environment): Promise<Run> {
    const run = await this.#run(id);
    const tasks = await this.#context.store.tasks(run.id);
    const task = tasks.find((one) => one.id === taskId);
    if (!task) throw unknownTask(run.id, taskId);
    if (!isOver(task) || task.mergedAs !== undefined) {
      const detail = task.mergedAs === undefined ? `the task is ${task.state}` : "it is merged";
      throw stateError(detail, `See what became of it: seam crew show ${run.id}`);
    }
    const left = [task, ...tasks.filter(({ state }) => state === "skipped")];
    return this.#again(run, left, environment);
  }

  async answer(id: string, value: string): Promise<CrewQuestion> {
    const question = await answerQuestion(this.#context, id, value);
    if (!question) {
      const where = "seam inbox";
      throw new SeamError("SEAM_CREW_UNKNOWN", { what: "open question", id, where });
    }
    return question;
  }

  /** Lets a run, or one task of it, spend more; those that wait for it go on. */
  async allow(id: string, { more, of, task }: AllowRequest): Promise<Run> {
    const run = await this.#run(id);
    if (task !== undefined && !(await this.#context.store.task(run.id, task))) {
      throw unknownTask(run.id, task);
    }
    await allow(this.#context, run.id, { of, more, ...(task !== undefined && { task }) });
    for (const question of await this.#context.store.questions(run.id)) {
      const isMeant = task === undefined || question.task === task;
      if (question.kind === "budget" && question.answer === undefined && isMeant)
        await answerQuestion(this.#context, question.id, "allowed");
    }
    return this.#run(run.id);
  }

  /** Brings what was merged to a branch of the user's: the one that is checked out, unless one is named. */
  async land(id: string, branch?: string): Promise<LandResult> {
    return landRun(this.#context, await this.#run(id), branch);
  }

  /** What waits, and what is not as it should be. */
  check(): Promise<CheckUp> {
    return checkUp(this.#context);
  }

  /** Takes away what is left of a run that is over, except work that is nowhere else. */
  async clean(id: string): Promise<Cleaned> {
    const run = await this.#run(id);
    if (run.endedAt === undefined) {
      throw stateError(`the run is ${run.state}`, `End it first: seam crew cancel ${run.id}`);
    }
    return cleanRun(this.#context, run);
  }

  work(pools: readonly string[]): void {
    this.#context.engine.work(pools);
  }

  /** Resolves when what was done so far would survive a power cut. */
  settled(): Promise<void> {
    return this.#context.store.database.settled();
  }

  async close(): Promise<void> {
    this.#leave();
    await this.#context.engine.close();
    await this.#context.store.database.close();
  }

  async #again(run: Run, tasks: readonly Task[], environment?: Environment): Promise<Run> {
    const { store, home } = this.#context;
    if (environment) keepEnvironment(home, run.id, environment);
    for (const task of tasks) {
      const triedBefore = (await store.attempts(run.id, task.id)).length;
      await store.changeTask(run.id, task.id, (now) => {
        const { reason: _, endedAt: __, result: ___, refused: ____, ...kept } = now;
        return { ...kept, state: "queued", retries: (now.retries ?? 0) + 1, triedBefore };
      });
    }
    await store.changeRun(run.id, ({ endedAt: _, reason: __, landed: ___, ...now }) => ({
      ...now,
      state: "running",
    }));
    const ids = tasks.map(({ id }) => id).join(", ");
    await happened(this.#context, {
      run: run.id,
      kind: "run",
      state: "running",
      text: `Again: ${ids}`,
    });
    await beginFlow(this.#context, run.id);
    return this.#run(run.id);
  }

  /** By its id, the beginning of it, or "last". */
  async #run(id: string): Promise<Run> {
    const runs = await this.#context.store.runs();
    const [found, ...others] =
      id === "last" ? runs.slice(0, 1) : runs.filter((run) => run.id.startsWith(id));
    if (!found || others.length > 0) throw unknownRun(id);
    return found;
  }
}

/** Nothing starts if it is known already that a task could not. */
function checkAgents(workflow: Workflow, agents: readonly AgentChoice[]): void {
  const lost = workflow.tasks.find(
    (spec) => choicesFor(spec, workflow.roles[spec.role], agents).length === 0,
  );
  if (lost) throw new SeamError("SEAM_CREW_NO_AGENT", { task: lost.id });
}

function stateError(detail: string, hint: string): SeamError {
  return new SeamError("SEAM_CREW_STATE", { detail, hint });
}

function taskIn(input: Json): { run: string; task: string } {
  const { run, task } = isRecord(input) ? input : {};
  return { run: String(run), task: String(task) };
}

/** Short enough to be typed, and never the beginning of a branch that is there. */
const newId = () => randomBytes(4).toString("hex");
