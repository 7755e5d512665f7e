import { randomUUID } from "node:crypto";
import type {
  CompleteStepAttemptParams,
  CreateStepAttemptParams,
  FailStepAttemptParams,
  ListStepAttemptsParams,
  PaginatedResponse,
  SendSignalParams,
  StepAttempt,
} from "openworkflow/internal";
import { type CrewDatabase, type Json, json, text } from "../database/crew-database.ts";
import { READY, stepAttemptOf } from "./rows.ts";

/** Only the slot that a flow was given to may write its steps. */
const IS_OWNED =
  "EXISTS (SELECT 1 FROM engine_runs WHERE id = ? AND status = 'running' AND slot = ?)";

/** The steps of flows, and the signals they wait for. */
export class StepStore {
  readonly #database: CrewDatabase;

  constructor(database: CrewDatabase) {
    this.#database = database;
  }

  create(params: Readonly<CreateStepAttemptParams>): Promise<StepAttempt> {
    const { workflowRunId, workerId, stepName, kind, context } = params;
    const id = randomUUID();
    const now = new Date().toISOString();
    const signal = context?.kind === "signal-wait" ? context.signal : null;
    return this.#database.transaction(async (database) => {
      const made = await database.run(
        `INSERT INTO engine_steps (id, run, name, kind, status, signal, context, created_at, updated_at)
         SELECT ?, ?, ?, ?, 'running', ?, ?, ?, ? WHERE ${IS_OWNED}`,
        [
          id,
          workflowRunId,
          stepName,
          kind,
          signal,
          context === null ? null : JSON.stringify(context),
          now,
          now,
          workflowRunId,
          workerId,
        ],
      );
      if (made === 0) throw new Error("the flow belongs to another worker by now");
      if (signal !== null) await deliverKept(database, signal, id);
      return one(database, id);
    });
  }

  async get(id: string): Promise<StepAttempt | null> {
    const [row] = await this.#database.all("SELECT * FROM engine_steps WHERE id = ?", [id]);
    return row ? stepAttemptOf(row) : null;
  }

  /** All of them on one page: there are never more than the engine allows. */
  async list({
    workflowRunId,
  }: Readonly<ListStepAttemptsParams>): Promise<PaginatedResponse<StepAttempt>> {
    const rows = await this.#database.all(
      "SELECT * FROM engine_steps WHERE run = ? ORDER BY created_at, id",
      [workflowRunId],
    );
    return { data: rows.map(stepAttemptOf), pagination: { next: null, prev: null } };
  }

  complete(params: Readonly<CompleteStepAttemptParams>): Promise<StepAttempt> {
    const output = params.output === null ? null : JSON.stringify(params.output);
    return this.#end(params, "completed", "output", output);
  }

  fail(params: Readonly<FailStepAttemptParams>): Promise<StepAttempt> {
    return this.#end(params, "failed", "error", JSON.stringify(params.error));
  }

  /** Gives a signal to those who wait for it, or keeps it. Tells whose flows go on. */
  send({ signal, data }: Readonly<SendSignalParams>): Promise<string[]> {
    const sent = JSON.stringify(data);
    return this.#database.transaction(async (database) => {
      const waiting = await database.all(
        "SELECT id, run FROM engine_steps WHERE signal = ? AND status = 'running' AND delivered IS NULL",
        [signal],
      );
      if (waiting.length === 0) await keep(database, signal, sent);
      for (const row of waiting) {
        await database.run("UPDATE engine_steps SET delivered = ? WHERE id = ?", [
          sent,
          text(row, "id"),
        ]);
        await database.run(
          "UPDATE engine_runs SET available_at = ? WHERE id = ? AND status = 'running' AND slot IS NULL",
          [READY, text(row, "run")],
        );
      }
      return waiting.map((row) => text(row, "run"));
    });
  }

  async delivered(id: string): Promise<Json | undefined> {
    const [row] = await this.#database.all("SELECT delivered FROM engine_steps WHERE id = ?", [id]);
    return row && json(row, "delivered");
  }

  #end(
    { stepAttemptId, workflowRunId, workerId }: Readonly<Omit<CompleteStepAttemptParams, "output">>,
    status: "completed" | "failed",
    column: "output" | "error",
    value: string | null,
  ): Promise<StepAttempt> {
    const now = new Date().toISOString();
    return this.#database.transaction(async (database) => {
      const changed = await database.run(
        `UPDATE engine_steps SET status = ?, ${column} = ?, finished_at = ?, updated_at = ?
         WHERE id = ? AND status = 'running' AND ${IS_OWNED}`,
        [status, value, now, now, stepAttemptId, workflowRunId, workerId],
      );
      if (changed === 0) throw new Error("the step belongs to another worker by now");
      return one(database, stepAttemptId);
    });
  }
}

async function one(database: CrewDatabase, id: string): Promise<StepAttempt> {
  const [row] = await database.all("SELECT * FROM engine_steps WHERE id = ?", [id]);
  if (!row) throw new Error(`there is no step ${id}`);
  return stepAttemptOf(row);
}

/** A signal that came before anybody waited for it. */
async function deliverKept(database: CrewDatabase, signal: string, step: string): Promise<void> {
  const [kept] = await database.all("SELECT data FROM engine_signals WHERE name = ?", [signal]);
  if (!kept) return;
  await database.run("UPDATE engine_steps SET delivered = ? WHERE id = ?", [
    text(kept, "data"),
    step,
  ]);
  await database.run("DELETE FROM engine_signals WHERE name = ?", [signal]);
}

async function keep(database: CrewDatabase, signal: string, data: string): Promise<void> {
  await database.run(
    `INSERT INTO engine_signals (name, data, sent_at) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET data = excluded.data, sent_at = excluded.sent_at`,
    [signal, data, new Date().toISOString()],
  );
}
