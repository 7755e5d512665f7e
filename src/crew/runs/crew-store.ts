import { type CrewDatabase, document, number } from "../database/crew-database.ts";
import type { CrewQuestion } from "../model/crew-question.ts";
import type { Attempt, AttemptEnd, Proof, Run, Task, TaskState } from "../model/run.ts";
import type { RunEvent } from "../model/run-event.ts";

/** A proof, with what it was about: the task's own work, or what it would make of the target. */
export interface KeptProof extends Proof {
  readonly task: string;
  readonly place: "task" | "candidate";
  readonly at: string;
}

const ENDED: readonly TaskState[] = ["done", "failed", "skipped", "cancelled"];

/** Whether nothing more happens to a task by itself. */
export function isOver({ state }: Pick<Task, "state">): boolean {
  return ENDED.includes(state);
}

/** Everything that is known about runs. What changes is told to whoever follows. */
export class CrewStore {
  readonly database: CrewDatabase;

  constructor(database: CrewDatabase) {
    this.database = database;
  }

  async insertRun(run: Run, tasks: readonly Task[]): Promise<void> {
    await this.database.transaction(async (database) => {
      await database.run(
        "INSERT INTO crew_runs (id, state, repository, origin, pool, started_at, data) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          run.id,
          run.state,
          run.repository,
          run.origin,
          run.pool ?? null,
          run.startedAt,
          JSON.stringify(run),
        ],
      );
      await insertTasks(database, run.id, tasks);
    });
  }

  async run(id: string): Promise<Run | undefined> {
    const [row] = await this.database.all("SELECT data FROM crew_runs WHERE id = ?", [id]);
    return row && document<Run>(row);
  }

  /** Newest first. */
  async runs(
    states: readonly Run["state"][] = [],
    database: CrewDatabase = this.database,
  ): Promise<Run[]> {
    const rows = await database.all("SELECT data FROM crew_runs ORDER BY started_at DESC");
    const runs = rows.map((row) => document<Run>(row));
    return states.length === 0 ? runs : runs.filter(({ state }) => states.includes(state));
  }

  /** Changes a run as it is at this moment; undefined from `change`: it stays as it is. */
  changeRun(id: string, change: (run: Run) => Run | undefined): Promise<Run | undefined> {
    return this.database.transaction(async (database) => {
      const [row] = await database.all("SELECT data FROM crew_runs WHERE id = ?", [id]);
      const next = row && change(document<Run>(row));
      if (!next) return undefined;
      await database.run("UPDATE crew_runs SET state = ?, data = ? WHERE id = ?", [
        next.state,
        JSON.stringify(next),
        id,
      ]);
      return next;
    });
  }

  async deleteRun(id: string): Promise<void> {
    await this.database.transaction(async (database) => {
      await database.run("DELETE FROM crew_runs WHERE id = ?", [id]);
      for (const table of ["tasks", "attempts", "proofs", "questions", "messages", "events"]) {
        await database.run(`DELETE FROM crew_${table} WHERE run = ?`, [id]);
      }
    });
  }

  async tasks(run: string): Promise<Task[]> {
    const sql = "SELECT data FROM crew_tasks WHERE run = ? ORDER BY position";
    return (await this.database.all(sql, [run])).map((row) => document<Task>(row));
  }

  async task(run: string, id: string): Promise<Task | undefined> {
    const sql = "SELECT data FROM crew_tasks WHERE run = ? AND id = ?";
    const [row] = await this.database.all(sql, [run, id]);
    return row && document<Task>(row);
  }

  async addTasks(run: string, tasks: readonly Task[]): Promise<void> {
    if (tasks.length === 0) return;
    await this.database.transaction((database) => insertTasks(database, run, tasks));
  }

  /** Changes a task as it is at this moment; undefined from `change`: it stays as it is. */
  changeTask(
    run: string,
    id: string,
    change: (task: Task) => Task | undefined,
  ): Promise<Task | undefined> {
    return this.database.transaction(async (database) => {
      const sql = "SELECT data FROM crew_tasks WHERE run = ? AND id = ?";
      const [row] = await database.all(sql, [run, id]);
      const next = row && change(document<Task>(row));
      if (!next) return undefined;
      const update = "UPDATE crew_tasks SET state = ?, data = ? WHERE run = ? AND id = ?";
      await database.run(update, [next.state, JSON.stringify(next), run, id]);
      return next;
    });
  }

  /** In the order in which they began. */
  async attempts(
    run: string,
    task?: string,
    database: CrewDatabase = this.database,
  ): Promise<Attempt[]> {
    const [which, values] =
      task === undefined ? ["run = ?", [run]] : ["run = ? AND task = ?", [run, task]];
    const sql = `SELECT data FROM crew_attempts WHERE ${which} ORDER BY started_at, number`;
    return (await database.all(sql, values)).map((row) => document<Attempt>(row));
  }

  /** Attempts that have not ended, of all runs. */
  openAttempts(database: CrewDatabase = this.database): Promise<Attempt[]> {
    const sql = "SELECT data FROM crew_attempts WHERE is_over = 0";
    return database.all(sql).then((rows) => rows.map((row) => document<Attempt>(row)));
  }

  /** Attempts that began after a moment, of all runs. */
  async attemptsSince(at: string, database: CrewDatabase = this.database): Promise<Attempt[]> {
    const sql = "SELECT data FROM crew_attempts WHERE started_at >= ?";
    return (await database.all(sql, [at])).map((row) => document<Attempt>(row));
  }

  async insertAttempt(attempt: Attempt, database: CrewDatabase = this.database): Promise<void> {
    const { run, task, number: count, agent, worker, session, startedAt } = attempt;
    await database.run(
      "INSERT INTO crew_attempts (run, task, number, agent, worker, session, is_over, started_at, data) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)",
      [run, task, count, agent, worker, session ?? null, startedAt, JSON.stringify(attempt)],
    );
  }

  changeAttempt(
    { run, task, number: count }: Pick<Attempt, "run" | "task" | "number">,
    change: Partial<Attempt>,
    inside: CrewDatabase = this.database,
  ): Promise<Attempt | undefined> {
    return inside.transaction(async (database) => {
      const where = "WHERE run = ? AND task = ? AND number = ?";
      const key = [run, task, count];
      const [row] = await database.all(`SELECT data FROM crew_attempts ${where}`, key);
      if (!row) return undefined;
      const next = { ...document<Attempt>(row), ...change };
      await database.run(`UPDATE crew_attempts SET session = ?, is_over = ?, data = ? ${where}`, [
        next.session ?? null,
        next.end ? 1 : 0,
        JSON.stringify(next),
        ...key,
      ]);
      return next;
    });
  }

  async endAttempt(
    attempt: Pick<Attempt, "run" | "task" | "number">,
    end: AttemptEnd,
    database: CrewDatabase = this.database,
  ): Promise<void> {
    await this.changeAttempt(attempt, { end, endedAt: new Date().toISOString() }, database);
  }

  async keepProof(run: string, proof: KeptProof): Promise<void> {
    await this.database.transaction(async (database) => {
      const count = await nextNumber(database, "crew_proofs", "run = ? AND task = ?", [
        run,
        proof.task,
      ]);
      await database.run(
        "INSERT INTO crew_proofs (run, task, number, place, at, data) VALUES (?, ?, ?, ?, ?, ?)",
        [run, proof.task, count, proof.place, proof.at, JSON.stringify(proof)],
      );
    });
  }

  async proofs(run: string): Promise<KeptProof[]> {
    const sql = "SELECT data FROM crew_proofs WHERE run = ? ORDER BY at, number";
    return (await this.database.all(sql, [run])).map((row) => document<KeptProof>(row));
  }

  /** Asks once: a question that is there already stays as it is. */
  async insertQuestion(question: CrewQuestion, origin: string): Promise<CrewQuestion> {
    const { id, run, task, kind, askedAt } = question;
    await this.database.run(
      "INSERT INTO crew_questions (id, run, task, origin, kind, asked_at, data) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
      [id, run, task ?? null, origin, kind, askedAt, JSON.stringify(question)],
    );
    return (await this.question(id)) ?? question;
  }

  async question(id: string): Promise<CrewQuestion | undefined> {
    const [row] = await this.database.all("SELECT data FROM crew_questions WHERE id = ?", [id]);
    return row && document<CrewQuestion>(row);
  }

  async openQuestions(origin: string): Promise<CrewQuestion[]> {
    const sql =
      "SELECT data FROM crew_questions WHERE answered_at IS NULL AND origin = ? ORDER BY asked_at";
    return (await this.database.all(sql, [origin])).map((row) => document<CrewQuestion>(row));
  }

  async questions(run: string): Promise<CrewQuestion[]> {
    const sql = "SELECT data FROM crew_questions WHERE run = ? ORDER BY asked_at";
    return (await this.database.all(sql, [run])).map((row) => document<CrewQuestion>(row));
  }

  /** The first answer counts. */
  answerQuestion(id: string, answer: string): Promise<CrewQuestion | undefined> {
    return this.database.transaction(async (database) => {
      const sql = "SELECT data FROM crew_questions WHERE id = ? AND answered_at IS NULL";
      const [row] = await database.all(sql, [id]);
      if (!row) return undefined;
      const answeredAt = new Date().toISOString();
      const next: CrewQuestion = { ...document<CrewQuestion>(row), answer, answeredAt };
      await database.run(
        "UPDATE crew_questions SET answer = ?, answered_at = ?, data = ? WHERE id = ?",
        [answer, answeredAt, JSON.stringify(next), id],
      );
      return next;
    });
  }

  addEvent(event: Omit<RunEvent, "number" | "at">): Promise<RunEvent> {
    return this.database.transaction(async (database) => {
      const count = await nextNumber(database, "crew_events", "run = ?", [event.run]);
      const at = new Date().toISOString();
      const kept: RunEvent = { ...event, number: count, at };
      await database.run("INSERT INTO crew_events (run, number, at, data) VALUES (?, ?, ?, ?)", [
        event.run,
        count,
        at,
        JSON.stringify(kept),
      ]);
      return kept;
    });
  }

  async events(run: string, after = 0): Promise<RunEvent[]> {
    const sql = "SELECT data FROM crew_events WHERE run = ? AND number > ? ORDER BY number";
    return (await this.database.all(sql, [run, after])).map((row) => document<RunEvent>(row));
  }

  /** Takes a lock for a while, or prolongs it; false while somebody else has it. */
  takeLock(name: string, owner: string, ms: number): Promise<boolean> {
    return this.database.transaction(async (database) => {
      const now = await database.clock();
      const [row] = await database.all("SELECT owner, until FROM crew_locks WHERE name = ?", [
        name,
      ]);
      const isTaken = row && row.owner !== owner && String(row.until) > now.toISOString();
      if (isTaken) return false;
      await database.run(
        `INSERT INTO crew_locks (name, owner, until) VALUES (?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until`,
        [name, owner, new Date(now.getTime() + ms).toISOString()],
      );
      return true;
    });
  }

  async releaseLock(name: string, owner: string): Promise<void> {
    await this.database.run("DELETE FROM crew_locks WHERE name = ? AND owner = ?", [name, owner]);
  }
}

async function insertTasks(
  database: CrewDatabase,
  run: string,
  tasks: readonly Task[],
): Promise<void> {
  let position = await nextNumber(database, "crew_tasks", "run = ?", [run], "position");
  for (const task of tasks) {
    await database.run(
      "INSERT INTO crew_tasks (run, id, position, state, data) VALUES (?, ?, ?, ?, ?) ON CONFLICT (run, id) DO NOTHING",
      [run, task.id, position++, task.state, JSON.stringify(task)],
    );
  }
}

async function nextNumber(
  database: CrewDatabase,
  table: string,
  where: string,
  values: readonly string[],
  column = "number",
): Promise<number> {
  const sql = `SELECT MAX(${column}) AS last FROM ${table} WHERE ${where}`;
  const [row] = await database.all(sql, values);
  return number(row, "last") + 1;
}
