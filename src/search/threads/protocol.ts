import type { ErrorCode, ErrorDetails } from "../../errors/index.ts";
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

export type SearchMethod = keyof SearchCalls;

export interface ToSearchWorker {
  readonly id: number;
  readonly method: SearchMethod;
  readonly ask: unknown;
}

export type FromSearchWorker =
  | { readonly say: "done"; readonly id: number; readonly answer: unknown }
  | { readonly say: "failed"; readonly id: number; readonly error: SentError }
  | { readonly say: "progress"; readonly progress: Progress }
  | { readonly say: "log"; readonly level: "info" | "warn"; readonly text: string };

/** An error that goes from one thread to another. */
export interface SentError {
  readonly message: string;
  readonly code?: ErrorCode;
  readonly details?: ErrorDetails;
}
