import { setTimeout as sleep } from "node:timers/promises";
import { OpenWorkflow, type Worker } from "openworkflow";
import { messageOf } from "../../errors/index.ts";
import { isRecord } from "../../values/index.ts";
import { type CrewDatabase, type Json, text } from "../database/crew-database.ts";
import type { Engine, Flow, FlowCode, FlowPlace, FlowState } from "./engine.ts";
import { FlowBackend } from "./flow-backend.ts";

interface Options {
  readonly database: CrewDatabase;
  /** This machine's name among the workers. */
  readonly worker: string;
  /** How long a worker that is not heard of keeps what it has. */
  readonly leaseMs?: number;
  readonly flows: Readonly<Record<string, FlowCode>>;
  readonly log: (text: string) => void;
}

const LEASE_MS = 30_000;
/** More flows at once than this wait for their turn; what limits agents is decided elsewhere. */
const SLOTS = 64;
/** How often the database is looked at when no other machine announces anything. */
const LOOK_MS = 15_000;
const LAST_FLOWS_MS = 2_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const STATES = {
  pending: "waiting",
  running: "running",
  completed: "done",
  failed: "failed",
  canceled: "cancelled",
} as const;

/** The engine of crews: OpenWorkflow over the database of crews. */
export async function openEngine(options: Options): Promise<Engine> {
  const engine = new OpenWorkflowEngine(options);
  await engine.begin();
  return engine;
}

class OpenWorkflowEngine implements Engine {
  readonly #options: Options;
  readonly #backend: FlowBackend;
  readonly #client: OpenWorkflow;
  #worker: Worker | undefined;
  #unfollow: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #isWanted = false;
  #isClosed = false;
  #trouble: string | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#backend = new FlowBackend({
      database: options.database,
      worker: options.worker,
      leaseMs: options.leaseMs ?? LEASE_MS,
      workflows: () => Object.keys(options.flows),
      log: options.log,
      onFree: () => this.#look(),
    });
    this.#client = new OpenWorkflow({ backend: this.#backend });
    for (const [name, code] of Object.entries(options.flows)) {
      this.#client.implementWorkflow<Json, Json>({ name }, async ({ input, step, run }) => {
        const flow: Flow = {
          step: (stepName, work) =>
            step.run({ name: stepName }, () => work(this.#backend.leases.signalOf(run.id))),
          sleep: (stepName, until) =>
            step.sleep(stepName, `${Math.max(1, until.getTime() - Date.now())}ms`),
          wait: async (stepName, signal, until) => {
            const came = await step.waitForSignal<Json>({
              name: stepName,
              signal,
              ...(until && { timeout: until }),
            });
            return came?.data;
          },
        };
        await code(flow, isRecord(input) ? (input.input ?? null) : null);
        return null;
      });
    }
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  async begin(): Promise<void> {
    await this.#backend.runs.takeBack(this.#options.worker);
  }

  async start(name: string, key: string, input: Json, place: FlowPlace): Promise<void> {
    const wrapped: Json = { place: { ...place }, input };
    await this.#client.runWorkflow<Json, Json>({ name }, wrapped, { idempotencyKey: key });
    await this.#options.database.announce();
  }

  async signal(name: string, data: Json = null): Promise<void> {
    await this.#client.sendSignal({ signal: name, data });
  }

  async cancel(key: string): Promise<void> {
    const [row] = await this.#backend.runs.list("run_key = ?", [key]);
    if (row) await this.#backend.cancelWorkflowRun({ workflowRunId: text(row, "id") });
  }

  async list(keyStart: string): Promise<FlowState[]> {
    const rows = await this.#backend.runs.list("substr(run_key, 1, ?) = ?", [
      keyStart.length,
      keyStart,
    ]);
    return rows.map((row) => {
      const status = text(row, "status");
      const error = row.error;
      return {
        key: text(row, "run_key"),
        name: text(row, "workflow"),
        state: isStatus(status) ? STATES[status] : "failed",
        ...(typeof error === "string" && { error }),
      };
    });
  }

  work(pools: readonly string[]): void {
    this.#backend.joinPools(pools);
    this.#worker ??= this.#client.newWorker({ concurrency: SLOTS });
    this.#unfollow ??= this.#options.database.follow(() => this.#look());
    this.#look();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#unfollow?.();
    await this.#round;
    // Steps under way are given up here and joined by whoever comes next.
    this.#backend.leases.close();
    const deadline = Date.now() + LAST_FLOWS_MS;
    while (this.#backend.leases.ids.length > 0 && Date.now() < deadline) await sleep(10);
  }

  /** Takes what there is to take, soon. Nothing is looked at while nothing changes. */
  #look(): void {
    if (this.#isClosed || !this.#worker) return;
    this.#isWanted = true;
    this.#round ??= this.#rounds(this.#worker).finally(() => {
      this.#round = undefined;
      if (this.#isWanted) this.#look();
    });
  }

  async #rounds(worker: Worker): Promise<void> {
    clearTimeout(this.#timer);
    try {
      while (this.#isWanted && !this.#isClosed) {
        this.#isWanted = false;
        this.#backend.beginRound();
        if ((await worker.tick()) > 0) this.#isWanted = true;
      }
      this.#lookIn(await this.#backend.runs.nextIn(this.#backend.rules));
      this.#trouble = undefined;
    } catch (error) {
      this.#trouble = `the database of crews cannot be used: ${messageOf(error)}`;
      this.#options.log(this.#trouble);
      this.#lookIn(LOOK_MS / 10);
    }
  }

  #lookIn(ms: number | undefined): void {
    if (this.#isClosed || ms === undefined) return;
    // All slots are taken: the next flow that ends looks again.
    const later = ms === 0 ? LOOK_MS : Math.min(ms, LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => this.#look(), later);
  }
}

function isStatus(status: string): status is keyof typeof STATES {
  return Object.hasOwn(STATES, status);
}
