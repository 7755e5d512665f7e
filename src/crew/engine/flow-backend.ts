import type {
  Backend,
  CancelWorkflowRunParams,
  ClaimWorkflowRunParams,
  CompleteStepAttemptParams,
  CompleteWorkflowRunParams,
  CreateStepAttemptParams,
  CreateWorkflowRunParams,
  ExtendWorkflowRunLeaseParams,
  FailStepAttemptParams,
  FailWorkflowRunParams,
  GetSignalDeliveryParams,
  GetStepAttemptParams,
  GetWorkflowRunParams,
  ListStepAttemptsParams,
  PaginatedResponse,
  RescheduleWorkflowRunAfterFailedStepAttemptParams,
  SendSignalParams,
  SendSignalResult,
  SleepWorkflowRunParams,
  StepAttempt,
  WorkflowRun,
  WorkflowRunCounts,
} from "openworkflow/internal";
import { isRecord } from "../../values/index.ts";
import type { CrewDatabase, Json } from "../database/crew-database.ts";
import type { FlowPlace } from "./engine.ts";
import { Leases } from "./leases.ts";
import { type ClaimRules, RunStore } from "./run-store.ts";
import { StepStore } from "./step-store.ts";

interface Options {
  readonly database: CrewDatabase;
  readonly worker: string;
  readonly leaseMs: number;
  readonly workflows: () => readonly string[];
  readonly log: (text: string) => void;
  /** A flow ended or was put aside: there may be something to take. */
  readonly onFree: () => void;
}

/**
 * What OpenWorkflow keeps its state in, over the database of crews: the same on SQLite and on
 * Postgres. It differs from the package's own in what trials showed to be needed: a signal is kept
 * until somebody waits for it, keys hold for ever, pools decide who gets a flow, and a process never
 * takes a flow that it is still at work on.
 */
export class FlowBackend implements Backend {
  readonly runs: RunStore;
  readonly leases: Leases;
  readonly #steps: StepStore;
  readonly #options: Options;
  #pools: readonly string[] = [];
  /** The last claim of this round found nothing, so neither will the others. */
  #isEmpty = false;

  constructor(options: Options) {
    const { database } = options;
    this.#options = options;
    this.runs = new RunStore(database);
    this.#steps = new StepStore(database);
    this.leases = new Leases(options);
  }

  get rules(): ClaimRules {
    const { worker, workflows } = this.#options;
    return { worker, pools: this.#pools, workflows: workflows(), except: this.leases.ids };
  }

  joinPools(pools: readonly string[]): void {
    this.#pools = pools;
  }

  beginRound(): void {
    this.#isEmpty = false;
  }

  createWorkflowRun(params: Readonly<CreateWorkflowRunParams>): Promise<WorkflowRun> {
    return this.runs.create(params, placeIn(params.input));
  }

  getWorkflowRun({ workflowRunId }: Readonly<GetWorkflowRunParams>): Promise<WorkflowRun | null> {
    return this.runs.get(workflowRunId);
  }

  async listWorkflowRuns(): Promise<PaginatedResponse<WorkflowRun>> {
    throw new Error("flows are listed by their keys");
  }

  async countWorkflowRuns(): Promise<WorkflowRunCounts> {
    throw new Error("flows are listed by their keys");
  }

  async claimWorkflowRun({ workerId }: Readonly<ClaimWorkflowRunParams>) {
    if (this.#isEmpty) return null;
    const run = await this.runs.claim(this.rules, workerId, this.#options.leaseMs);
    if (run) this.leases.take(run.id, workerId);
    else this.#isEmpty = true;
    return run;
  }

  /** The package's own pulse, which is too slow for a short lease: `Leases` has one of its own. */
  async extendWorkflowRunLease({
    workflowRunId,
  }: Readonly<ExtendWorkflowRunLeaseParams>): Promise<WorkflowRun> {
    const run = await this.runs.get(workflowRunId);
    if (!run) throw new Error(`there is no flow ${workflowRunId}`);
    return run;
  }

  sleepWorkflowRun(params: Readonly<SleepWorkflowRunParams>): Promise<WorkflowRun> {
    return this.#over(params.workflowRunId, this.runs.sleep(params, params.availableAt));
  }

  completeWorkflowRun(params: Readonly<CompleteWorkflowRunParams>): Promise<WorkflowRun> {
    const output = JSON.stringify(params.output);
    return this.#over(params.workflowRunId, this.runs.complete(params, output));
  }

  failWorkflowRun(params: Readonly<FailWorkflowRunParams>): Promise<WorkflowRun> {
    const { message } = params.error;
    this.#options.log(`a flow failed: ${params.error.stack ?? message}`);
    return this.#over(params.workflowRunId, this.runs.fail(params, JSON.stringify({ message })));
  }

  rescheduleWorkflowRunAfterFailedStepAttempt(
    params: Readonly<RescheduleWorkflowRunAfterFailedStepAttemptParams>,
  ): Promise<WorkflowRun> {
    const { message, stack } = params.error;
    this.#options.log(`a step failed: ${stack ?? message}`);
    const again = this.runs.again(params, JSON.stringify({ message }), params.availableAt, 0);
    return this.#over(params.workflowRunId, again);
  }

  async cancelWorkflowRun({
    workflowRunId,
  }: Readonly<CancelWorkflowRunParams>): Promise<WorkflowRun> {
    const run = await this.runs.cancel(workflowRunId);
    this.leases.lose(workflowRunId);
    return run;
  }

  createStepAttempt(params: Readonly<CreateStepAttemptParams>): Promise<StepAttempt> {
    return this.#steps.create(params);
  }

  getStepAttempt({ stepAttemptId }: Readonly<GetStepAttemptParams>): Promise<StepAttempt | null> {
    return this.#steps.get(stepAttemptId);
  }

  listStepAttempts(
    params: Readonly<ListStepAttemptsParams>,
  ): Promise<PaginatedResponse<StepAttempt>> {
    return this.#steps.list(params);
  }

  completeStepAttempt(params: Readonly<CompleteStepAttemptParams>): Promise<StepAttempt> {
    return this.#steps.complete(params);
  }

  failStepAttempt(params: Readonly<FailStepAttemptParams>): Promise<StepAttempt> {
    return this.#steps.fail(params);
  }

  async setStepAttemptChildWorkflowRun(): Promise<StepAttempt> {
    throw new Error("a flow starts no flow that it waits for: they tell each other by signals");
  }

  async sendSignal(params: Readonly<SendSignalParams>): Promise<SendSignalResult> {
    const workflowRunIds = await this.#steps.send(params);
    if (workflowRunIds.length > 0) await this.#options.database.announce();
    return { workflowRunIds };
  }

  getSignalDelivery({
    stepAttemptId,
  }: Readonly<GetSignalDeliveryParams>): Promise<Json | undefined> {
    return this.#steps.delivered(stepAttemptId);
  }

  async stop(): Promise<void> {
    this.leases.close();
  }

  /** The process is through with a flow, whatever became of it. */
  async #over(id: string, change: Promise<WorkflowRun>): Promise<WorkflowRun> {
    try {
      return await change;
    } finally {
      this.leases.drop(id);
      this.#options.onFree();
    }
  }
}

/** What stands around a flow's own input says who may take it. */
function placeIn(wrapped: Json | null): FlowPlace {
  const place = isRecord(wrapped) ? wrapped.place : undefined;
  if (!isRecord(place)) return {};
  const { worker, pool } = place;
  return {
    ...(typeof worker === "string" && { worker }),
    ...(typeof pool === "string" && { pool }),
  };
}
