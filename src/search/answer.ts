import type { Role } from "./store/roles.ts";
import type { Snippet } from "./text/snippet.ts";

/** The best hit of one session. */
export interface Hit {
  readonly agent: string;
  readonly session: string;
  readonly project?: string;
  readonly title?: string;
  /** ISO; when it was said, or when the session was last at work. */
  readonly at?: string;
  readonly role: Role;
  readonly tool?: string;
  /** Line or message of the transcript, from 0. */
  readonly position?: number;
  readonly snippet: Snippet;
  /** Entries of the session that were found, itself among them. */
  readonly hits: number;
}

/** In which way something was found. */
export type FoundBy = "words" | "substring" | "any word" | "filters";

export interface SearchAnswer {
  readonly hits: readonly Hit[];
  readonly by: FoundBy;
  /** For the next request, if there is more. */
  readonly cursor?: string;
  /** Only the newest of very many entries were looked at. */
  readonly isPartial?: true;
}

/** Tokens and cost of a group of model calls. */
export interface StatsRow {
  /** Day, week, model …; what it is, is what was asked for. */
  readonly key: string;
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** In dollars, of the calls whose price is known; absent if none of them is. */
  readonly cost?: number;
  /** Calls whose model has no known price, and which therefore are not in the cost. */
  readonly unpriced?: number;
  /** The models, if the rows are not by model. */
  readonly models?: readonly string[];
  /** For rows by session. */
  readonly agent?: string;
  readonly project?: string;
  readonly at?: string;
}

export interface StatsAnswer {
  readonly by: string;
  readonly rows: readonly StatsRow[];
  readonly total: StatsRow;
  /** Models without a known price. */
  readonly unknownPrices: readonly string[];
  /** The day of the price table. */
  readonly pricesOf: string;
}
