/**
 * Everything that is kept about crews, in SQL that SQLite and Postgres both understand: one list of
 * statements for each version that the database has had. Times are ISO texts; what is a document
 * is JSON, with columns beside it for what is looked up.
 */
export const VERSIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE crew_runs (
      id TEXT PRIMARY KEY,
      state TEXT NOT NULL,
      repository TEXT NOT NULL,
      origin TEXT NOT NULL,
      pool TEXT,
      started_at TEXT NOT NULL,
      data TEXT NOT NULL
    )`,
    `CREATE TABLE crew_tasks (
      run TEXT NOT NULL,
      id TEXT NOT NULL,
      position INTEGER NOT NULL,
      state TEXT NOT NULL,
      data TEXT NOT NULL,
      PRIMARY KEY (run, id)
    )`,
    `CREATE TABLE crew_attempts (
      run TEXT NOT NULL,
      task TEXT NOT NULL,
      number INTEGER NOT NULL,
      agent TEXT NOT NULL,
      worker TEXT NOT NULL,
      session TEXT,
      is_over INTEGER NOT NULL,
      started_at TEXT NOT NULL,
      data TEXT NOT NULL,
      PRIMARY KEY (run, task, number)
    )`,
    "CREATE INDEX crew_attempts_open ON crew_attempts (is_over, worker)",
    "CREATE INDEX crew_attempts_session ON crew_attempts (session)",
    `CREATE TABLE crew_proofs (
      run TEXT NOT NULL,
      task TEXT NOT NULL,
      number INTEGER NOT NULL,
      place TEXT NOT NULL,
      at TEXT NOT NULL,
      data TEXT NOT NULL,
      PRIMARY KEY (run, task, number)
    )`,
    `CREATE TABLE crew_questions (
      id TEXT PRIMARY KEY,
      run TEXT NOT NULL,
      task TEXT,
      origin TEXT NOT NULL,
      kind TEXT NOT NULL,
      asked_at TEXT NOT NULL,
      data TEXT NOT NULL,
      answer TEXT,
      answered_at TEXT
    )`,
    "CREATE INDEX crew_questions_open ON crew_questions (answered_at, origin)",
    `CREATE TABLE crew_messages (
      id TEXT PRIMARY KEY,
      run TEXT NOT NULL,
      sender TEXT NOT NULL,
      recipient TEXT NOT NULL,
      sent_at TEXT NOT NULL,
      delivered_at TEXT,
      data TEXT NOT NULL
    )`,
    "CREATE INDEX crew_messages_unread ON crew_messages (run, recipient, delivered_at)",
    `CREATE TABLE crew_events (
      run TEXT NOT NULL,
      number INTEGER NOT NULL,
      at TEXT NOT NULL,
      data TEXT NOT NULL,
      PRIMARY KEY (run, number)
    )`,
    `CREATE TABLE crew_locks (
      name TEXT PRIMARY KEY,
      owner TEXT NOT NULL,
      until TEXT NOT NULL
    )`,
    `CREATE TABLE crew_workers (
      name TEXT PRIMARY KEY,
      host TEXT NOT NULL,
      pid INTEGER NOT NULL,
      process_start TEXT NOT NULL,
      pools TEXT NOT NULL,
      seen_at TEXT NOT NULL
    )`,
    `CREATE TABLE engine_runs (
      id TEXT PRIMARY KEY,
      workflow TEXT NOT NULL,
      run_key TEXT NOT NULL UNIQUE,
      place TEXT,
      pool TEXT,
      status TEXT NOT NULL,
      input TEXT,
      output TEXT,
      error TEXT,
      context TEXT,
      claims INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      slot TEXT,
      worker TEXT,
      available_at TEXT,
      started_at TEXT,
      finished_at TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    )`,
    "CREATE INDEX engine_runs_next ON engine_runs (status, available_at)",
    `CREATE TABLE engine_steps (
      id TEXT PRIMARY KEY,
      run TEXT NOT NULL,
      name TEXT NOT NULL,
      kind TEXT NOT NULL,
      status TEXT NOT NULL,
      signal TEXT,
      context TEXT,
      output TEXT,
      error TEXT,
      delivered TEXT,
      finished_at TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    )`,
    "CREATE INDEX engine_steps_run ON engine_steps (run, created_at)",
    "CREATE INDEX engine_steps_waiting ON engine_steps (signal, status)",
    `CREATE TABLE engine_signals (
      name TEXT PRIMARY KEY,
      data TEXT NOT NULL,
      sent_at TEXT NOT NULL
    )`,
  ],
];
