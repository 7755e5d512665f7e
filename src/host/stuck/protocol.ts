/** What the watching thread shares with the one it watches. */
export interface WatchTask {
  /** Numbers of the watch: see `Field`. */
  readonly board: SharedArrayBuffer;
  /** Whose code has the watched thread. */
  readonly running: SharedArrayBuffer;
  /** The global name under which the watched thread answers questions. */
  readonly key: string;
}

/** Places on the board. */
export const Field = {
  /** Goes up whenever the watched thread comes to its event loop. */
  beats: 0,
  /** Milliseconds between two looks. */
  tickMs: 1,
  /** 1: someone debugs the process, and a thread that stands still is meant to. */
  debugged: 2,
  /** 1: end the process if nothing else helps. */
  endProcess: 3,
  /** 1: the watch is connected to the watched thread. */
  connected: 4,
} as const;

/** The thread is stuck when it was not seen alive for so many looks. */
export const LOOKS = 4;

/** A line that was being run. */
export interface Frame {
  readonly file: string;
  readonly line: number;
}

/** Who is it? Asked of a thread that is being held. */
export interface Question {
  /** The slot that had the thread at each of the last looks; 0 if they differ. */
  readonly steady: number;
  /** The slot that has it now. */
  readonly now: number;
  /** Innermost first. Node's own are left out. */
  readonly frames: readonly Frame[];
}

/** What an extension is doing when it was not called by Seam. */
export const NOT_IN_AN_EVENT = "in a callback, or after an await";

export interface Verdict {
  readonly path: string;
  /** The event, or what else it was doing. */
  readonly what: string;
  readonly where?: Frame;
}

/** Either it is known, or only the code of these can tell. */
export interface Answer {
  readonly verdict?: Verdict;
  readonly suspects?: readonly { readonly path: string; readonly code: readonly string[] }[];
}
