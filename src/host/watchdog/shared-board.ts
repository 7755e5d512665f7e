/** What the watching thread shares with the one it watches. */
export interface WatchTask {
  /** Numbers of the watch: see `Field`. */
  readonly board: SharedArrayBuffer;
  /** Whose code has the watched thread. */
  readonly running: SharedArrayBuffer;
  /** How many calls of each slot have not settled yet. */
  readonly unsettled: SharedArrayBuffer;
}

/** Places on the board. */
export const Field = {
  /** A count that goes up whenever the watched thread comes to its event loop. */
  beats: 0,
  /** Milliseconds between two looks. */
  tickMs: 1,
  /** 1: someone debugs the process, and a thread that stands still is meant to. */
  debugged: 2,
  /** 1: end the process when its thread is stuck; 0: only say so. */
  endProcess: 3,
} as const;

/** The thread is silent when it was not heard of for so many looks. */
export const LOOKS = 4;
