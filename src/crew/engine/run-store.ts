import { randomUUID } from "node:crypto";
import type { CreateWorkflowRunParams, WorkflowRun } from "openworkflow/internal";
import { type CrewDatabase, type Row, text, type Value } from "../database/crew-database.ts";
import type { FlowPlace } from "./engine.ts";
import { READY, workflowRunOf } from "./rows.ts";

/** A flow that fails again and again is given up after so many times. */
const MOST_FAILURES = 8;
const LONGEST_PAUSE_MS = 60_000;
/** A parked flow whose signal came meanwhile goes on at once. */
const HAS_NEWS =
  "EXISTS (SELECT 1 FROM engine_steps WHERE run = engine_runs.id AND status = 'running' AND delivered IS NOT NULL)";

interface Owned {
  readonly workflowRunId: string;
  readonly workerId: string;
}

/** Who may take what. */
export interface ClaimRules {
  readonly worker: string;
  readonly pools: readonly string[];
  readonly workflows: readonly string[];
  /** Flows this process is at work on. */
  readonly except: readonly string[];
}

/** The flows themselves: which there are, in which state, and who is at work on them. */
export class RunStore {
  readonly #database: CrewDatabase;

  constructor(database: CrewDatabase) {
    this.#database = database;
  }

  create(params: Readonly<CreateWorkflowRunParams>, place: FlowPlace): Promise<WorkflowRun> {
    const id = randomUUID();
    const key = params.idempotencyKey ?? id;
    const now = new Date().toISOString();
    return this.#database.transaction(async (database) => {
      await database.run(
        `INSERT INTO engine_runs (id, workflow, run_key, place, pool, status, input, context, claims,
           failures, available_at, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, 0, 0, ?, ?, ?) ON CONFLICT (run_key) DO NOTHING`,
        [
          id,
          params.workflowName,
          key,
          place.worker ?? null,
          place.pool ?? null,
          JSON.stringify(params.input),
          params.context === null ? null : JSON.stringify(params.context),
          READY,
          now,
          now,
        ],
      );
      return one(database, "run_key", key);
    });
  }

  async get(id: string): Promise<WorkflowRun | null> {
    const [row] = await this.#database.all("SELECT * FROM engine_runs WHERE id = ?", [id]);
    return row ? workflowRunOf(row) : null;
  }

  list(where: string, values: readonly Value[]): Promise<Row[]> {
    return this.#database.all(
      `SELECT * FROM engine_runs WHERE ${where} ORDER BY created_at`,
      values,
    );
  }

  /** Gives the flow that waits longest to a slot of a worker, in one transaction. */
  claim(rules: ClaimRules, slot: string, leaseMs: number): Promise<WorkflowRun | null> {
    return this.#database.transaction(async (database) => {
      const now = await database.clock();
      const [next] = await database.all(
        `SELECT id FROM engine_runs WHERE ${CAN_BE_TAKEN(rules)} AND available_at <= ?
         ORDER BY available_at, created_at LIMIT 1`,
        [...takeable(rules), now.toISOString()],
      );
      if (!next) return null;
      const id = text(next, "id");
      await database.run(
        `UPDATE engine_runs SET status = 'running', claims = claims + 1, slot = ?, worker = ?,
           available_at = ?, started_at = COALESCE(started_at, ?), updated_at = ? WHERE id = ?`,
        [
          slot,
          rules.worker,
          new Date(now.getTime() + leaseMs).toISOString(),
          now.toISOString(),
          now.toISOString(),
          id,
        ],
      );
      return one(database, "id", id);
    });
  }

  /** Milliseconds until a flow can be taken; undefined if none waits. */
  async nextIn(rules: ClaimRules): Promise<number | undefined> {
    const [row] = await this.#database.all(
      `SELECT MIN(available_at) AS next FROM engine_runs WHERE ${CAN_BE_TAKEN(rules)}`,
      takeable(rules),
    );
    const next = row?.next;
    if (typeof next !== "string") return undefined;
    const now = await this.#database.clock();
    return next === READY ? 0 : Math.max(0, Date.parse(next) - now.getTime());
  }

  /** A worker that begins anew is at work on nothing: what it had when it was killed is ready. */
  async takeBack(worker: string): Promise<void> {
    await this.#database.run(
      "UPDATE engine_runs SET available_at = ?, slot = NULL WHERE worker = ? AND status = 'running' AND slot IS NOT NULL",
      [READY, worker],
    );
  }

  /** Keeps a flow until a time, or until its signal comes. */
  sleep(owned: Owned, until: Date): Promise<WorkflowRun> {
    const set = `slot = NULL, failures = 0, available_at = CASE WHEN ${HAS_NEWS} THEN ? ELSE ? END`;
    return this.#change(owned, set, [READY, until.toISOString()]);
  }

  async complete(owned: Owned, output: string): Promise<WorkflowRun> {
    const set = "status = 'completed', output = ?, available_at = NULL, finished_at = ?";
    return this.#change(owned, set, [output, new Date().toISOString()]);
  }

  /** Tries it again after a while, each time a longer one, and gives it up in the end. */
  async fail(owned: Owned, error: string): Promise<WorkflowRun> {
    const [row] = await this.#database.all("SELECT failures FROM engine_runs WHERE id = ?", [
      owned.workflowRunId,
    ]);
    const failures = Number(row?.failures ?? 0) + 1;
    const now = Date.now();
    if (failures >= MOST_FAILURES) {
      const set = "status = 'failed', error = ?, available_at = NULL, finished_at = ?";
      return this.#change(owned, set, [error, new Date(now).toISOString()]);
    }
    const again = new Date(now + Math.min(500 * 2 ** failures, LONGEST_PAUSE_MS));
    return this.again(owned, error, again, failures);
  }

  again(owned: Owned, error: string, at: Date, failures: number): Promise<WorkflowRun> {
    const set = "status = 'pending', slot = NULL, error = ?, available_at = ?, failures = ?";
    return this.#change(owned, set, [error, at.toISOString(), failures]);
  }

  async cancel(id: string): Promise<WorkflowRun> {
    const now = new Date().toISOString();
    await this.#database.run(
      `UPDATE engine_runs SET status = 'canceled', slot = NULL, available_at = NULL, finished_at = ?,
         updated_at = ? WHERE id = ? AND status IN ('pending', 'running')`,
      [now, now, id],
    );
    return one(this.#database, "id", id);
  }

  #change(owned: Owned, set: string, values: readonly Value[]): Promise<WorkflowRun> {
    const { workflowRunId, workerId } = owned;
    return this.#database.transaction(async (database) => {
      const changed = await database.run(
        `UPDATE engine_runs SET ${set}, updated_at = ? WHERE id = ? AND status = 'running' AND slot = ?`,
        [...values, new Date().toISOString(), workflowRunId, workerId],
      );
      if (changed === 0) throw new Error("the flow belongs to another worker by now");
      return one(database, "id", workflowRunId);
    });
  }
}

const CAN_BE_TAKEN = ({ pools, workflows, except }: ClaimRules) =>
  `status IN ('pending', 'running') AND workflow IN (${marks(workflows)})
   AND (place = ? OR pool IN (${marks(pools)})) AND id NOT IN (${marks(except)})`;

const takeable = ({ worker, pools, workflows, except }: ClaimRules): Value[] => [
  ...filled(workflows),
  worker,
  ...filled(pools),
  ...filled(except),
];

/** Not every database accepts an empty list, so it gets a name that nothing has. */
const filled = (names: readonly string[]) => (names.length === 0 ? [""] : names);
const marks = (names: readonly string[]) =>
  filled(names)
    .map(() => "?")
    .join(", ");

async function one(
  database: CrewDatabase,
  column: "id" | "run_key",
  value: string,
): Promise<WorkflowRun> {
  const [row] = await database.all(`SELECT * FROM engine_runs WHERE ${column} = ?`, [value]);
  if (!row) throw new Error(`there is no flow ${value}`);
  return workflowRunOf(row);
}
