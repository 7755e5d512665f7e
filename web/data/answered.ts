import type { Freshness } from "../../src/search/index.ts";

/** What search and stats answer: undefined while there is no index yet. */
export interface Answered<T> {
  readonly answer?: T;
  readonly index?: Freshness;
}
