import type { SearchAnswer, StatsAnswer } from "../answer.ts";
import type { PassResult, Progress } from "../indexing/indexer.ts";
import type { SearchRequest, StatsRequest } from "../request.ts";

/** What a thread of search is started for: to write the index, or to look things up in it. */
export interface SearchTask {
  readonly duty: "write" | "read";
  /** The user's Seam folder. */
  readonly home: string;
}

/** Everything a thread can be asked, and what it answers. */
export interface SearchCalls {
  pass: { readonly ask: undefined; readonly answer: PassResult };
  rebuild: { readonly ask: undefined; readonly answer: PassResult };
  forget: { readonly ask: string; readonly answer: undefined };
  close: { readonly ask: undefined; readonly answer: undefined };
  search: { readonly ask: SearchRequest; readonly answer: SearchAnswer | undefined };
  stats: { readonly ask: StatsRequest; readonly answer: StatsAnswer | undefined };
  size: { readonly ask: undefined; readonly answer: IndexSize | undefined };
}

/** How much is in the index. */
export interface IndexSize {
  readonly entries: number;
  readonly sessions: number;
  readonly problems: number;
}

/** What a thread says without being asked. */
export type SearchNews =
  | { readonly say: "progress"; readonly progress: Progress }
  /** Whoever looked something up found that the index is not as it should be. */
  | { readonly say: "damage"; readonly detail: string }
  | { readonly say: "log"; readonly level: "info" | "warn"; readonly text: string };
