import type { ErrorCode, ErrorDetails } from "../errors/index.ts";

/** What a thread can be asked: by the name of each method, what it is given and what it answers. */
export type CallTable<Calls> = {
  readonly [Method in keyof Calls]: { readonly ask: unknown; readonly answer: unknown };
};

/** A question on its way to a thread. */
export interface Asked<Method = string> {
  readonly id: number;
  readonly method: Method;
  readonly ask: unknown;
}

/** What tells a thread to finish the step it is at, close what it has open, and end. */
export interface Leave {
  readonly leave: true;
}

/** The answer on its way back. */
export type Answered =
  | { readonly say: "done"; readonly id: number; readonly answer: unknown }
  | { readonly say: "failed"; readonly id: number; readonly error: SentError };

/** An error that goes from one thread to another. */
export interface SentError {
  readonly message: string;
  readonly code?: ErrorCode;
  readonly details?: ErrorDetails;
}
