/** What can be stored as JSON. */
export type Json = string | number | boolean | null | { [key: string]: Json } | Json[];

/** What a statement is given. */
export type Value = string | number | null;

/** A row as it came, not checked: `text`, `number` and `json` check what they read. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Where crews are kept: a file of SQLite, or Postgres for several machines. Statements are written
 * once for both, with `?` for what they are given. Transactions follow one after the other on both,
 * so what one has counted still holds when it writes.
 */
export interface CrewDatabase {
  all(sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** How many rows were changed. */
  run(sql: string, values?: readonly Value[]): Promise<number>;
  transaction<T>(work: (database: CrewDatabase) => Promise<T>): Promise<T>;
  /** The time by which leases are measured: the same for everybody who has it open. */
  clock(): Promise<Date>;
  /** Tells everybody who has it open that something changed. */
  announce(): Promise<void>;
  /** Hears what anybody announces, also in another process; returns its own undo. */
  follow(hear: () => void): () => void;
  /**
   * Resolves when everything that was written is on the disk. Until then a power cut, and nothing
   * less, could take the last of it back; so whatever others see of it comes after.
   */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export function text(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== "string") throw new Error(`the column ${name} holds no text`);
  return value;
}

export function textOrNothing(row: Row, name: string): string | undefined {
  const value = row[name];
  return typeof value === "string" ? value : undefined;
}

/** Postgres gives counts as text, because they may be larger than a number can be. */
export function number(row: Row | undefined, name: string): number {
  return Number(row?.[name] ?? 0);
}

/** What was stored as JSON; undefined if there is nothing. */
export function json(row: Row, name: string): Json | undefined {
  const value = row[name];
  if (typeof value !== "string") return undefined;
  const parsed: Json = JSON.parse(value);
  return parsed;
}

/** What this program stored as one document. It is read as the type it was written as. */
export function document<T>(row: Row): T {
  const value: T = JSON.parse(text(row, "data"));
  return value;
}
