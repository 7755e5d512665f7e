/**
 * What the index consists of. `entries` has the texts themselves, because transcripts vanish; the
 * three virtual tables find them and hold no text of their own.
 *
 * - `words`: every entry but what tools were given and gave back.
 * - `outputs`: those.
 * - `grams`: trigrams of the entries in `words`, a row for each block of entries.
 * - `blocks`: entries that were written together have consecutive ids; this is from where to where.
 *   They are numbered by themselves: small steps from row to row keep the index of trigrams small.
 * - `calls`: what calls of models used, each once.
 */
export const SCHEMA = `
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY, agent TEXT NOT NULL, session TEXT NOT NULL, project TEXT, title TEXT,
  first INTEGER, last INTEGER, UNIQUE (agent, session)
);
CREATE TABLE sources (
  id INTEGER PRIMARY KEY, ref TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, session INTEGER,
  mark TEXT, state TEXT, model TEXT, problem TEXT
);
CREATE INDEX sources_session ON sources (session);
CREATE TABLE entries (
  id INTEGER PRIMARY KEY, session INTEGER NOT NULL, role INTEGER NOT NULL, at INTEGER, tool TEXT,
  position INTEGER, offset INTEGER, text TEXT NOT NULL
);
CREATE TABLE blocks (
  id INTEGER PRIMARY KEY, first INTEGER NOT NULL UNIQUE, last INTEGER NOT NULL, source INTEGER NOT NULL
);
CREATE INDEX blocks_source ON blocks (source);
CREATE TABLE files (session INTEGER, path TEXT, PRIMARY KEY (session, path)) WITHOUT ROWID;
CREATE TABLE commits (session INTEGER, sha TEXT, PRIMARY KEY (session, sha)) WITHOUT ROWID;
CREATE TABLE calls (
  source INTEGER NOT NULL, key TEXT NOT NULL, session INTEGER NOT NULL, agent TEXT NOT NULL,
  at INTEGER, model TEXT, input INTEGER, output INTEGER, cache_read INTEGER, cache_write INTEGER,
  cache_hour INTEGER, calls INTEGER, cost REAL, PRIMARY KEY (source, key)
) WITHOUT ROWID;
CREATE INDEX calls_key ON calls (key);
CREATE TABLE records (repository TEXT PRIMARY KEY, tip TEXT);
CREATE VIRTUAL TABLE words USING fts5 (
  text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE outputs USING fts5 (
  text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE grams USING fts5 (
  text, content = '', contentless_delete = 1, tokenize = 'ascii', detail = 'none'
);
`;

/**
 * What finds entries by a filter without words. Apart from the schema, because an index of entries
 * from before it had these is given them when it is opened to write.
 */
export const INDEXES = `
CREATE INDEX IF NOT EXISTS entries_session ON entries (session);
CREATE INDEX IF NOT EXISTS entries_role ON entries (role);
CREATE INDEX IF NOT EXISTS entries_tool ON entries (tool) WHERE tool IS NOT NULL;
`;

/** Virtual tables whose memory for what is not written yet is set. */
export const FULL_TEXT = ["words", "outputs", "grams"] as const;
