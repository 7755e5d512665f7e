import type { Decision } from "../../dispatch/index.ts";
import type { EventName, SeamEvent } from "../../events/index.ts";
import type { Source } from "../../extensions/index.ts";
import type { LogLevel } from "../log.ts";

/** What a session's extensions are loaded with. */
export interface WorkerTask {
  /** Registry name. */
  readonly agent: string;
  readonly sessionId: string;
  readonly sessionFile?: string;
  readonly cwd: string;
  readonly sources: readonly Source[];
  /** Extensions that froze or ended a worker before. */
  readonly leftOut: readonly LeftOut[];
  readonly cacheDir: string;
  readonly loadDeadlineMs: number;
  readonly deadlines: Partial<Record<EventName, number>>;
  /** Events of which the agent honours what handlers return. */
  readonly honoured: readonly EventName[];
  /** Whether the agent can be told something at one of its hooks. */
  readonly listens: boolean;
  readonly projectTrusted: boolean;
}

export interface LeftOut {
  readonly source: Source;
  readonly critical: boolean;
  readonly why: string;
}

/** To the thread. `seat` is the number a session has in it. */
export type ToThread =
  /** Loads a session's extensions. Answered with "ready", or "failed". */
  | { readonly do: "open"; readonly seat: number; readonly task: WorkerTask }
  /** Answered with "decided". `settleMs`: how long those who only observe are waited for. */
  | {
      readonly do: "decide";
      readonly seat: number;
      /** Counts up in each thread. */
      readonly id: number;
      readonly events: readonly SeamEvent[];
      readonly settleMs: number;
    }
  | { readonly do: "observe"; readonly seat: number; readonly events: readonly SeamEvent[] }
  /** Tells the extensions that their session is over, and lets go of them. Answered with "ended". */
  | { readonly do: "end"; readonly seat: number; readonly event: SeamEvent }
  /** A question may come at any moment: it is looked out for. */
  | { readonly do: "rouse" }
  | { readonly do: "ping" }
  /** Nobody is left in it. */
  | { readonly do: "stop" };

/** What is said of a session. */
export type Said =
  | { readonly say: "ready"; readonly listened: readonly EventName[] }
  /** It could not be loaded, and that was no extension's fault. */
  | { readonly say: "failed"; readonly detail: string }
  /** Someone subscribed or left. */
  | { readonly say: "listened"; readonly events: readonly EventName[] }
  | { readonly say: "decided"; readonly id: number; readonly decision: Decision }
  /** For the user. `once`: no need to say it again in this session. */
  | { readonly say: "notice"; readonly text: string; readonly once?: boolean }
  /** For the model. `now`: it is to go on working for this. */
  | { readonly say: "message"; readonly text: string; readonly now: boolean }
  | { readonly say: "log"; readonly level: LogLevel; readonly text: string }
  | { readonly say: "ended" };

/** What a thread says of one of its sessions. */
export type FromSeat = Said & { readonly seat: number };

/** What a thread says of itself. */
export type FromThread =
  /** It runs. `running`: whose code has it, by the number of a slot; `marks`: see below. */
  | {
      readonly say: "up";
      readonly running: SharedArrayBuffer;
      readonly marks: SharedArrayBuffer;
    }
  | { readonly say: "slot"; readonly slot: number; readonly path: string }
  | { readonly say: "pong" }
  /** More memory outside of the heap than it may have; most of it is of this seat's making. */
  | {
      readonly say: "swollen";
      readonly by: number;
      readonly path: string | undefined;
      readonly mb: number;
    }
  /** Code of this extension, in this seat, ends the thread. */
  | { readonly say: "exiting"; readonly by: number; readonly path: string | undefined };

/** The numbers a thread shares with the daemon: the seat whose code it runs, 0 if nobody's … */
export const MARK_SEAT = 0;
/** … and the last question it has begun with. */
export const MARK_BEGUN = 1;
export const MARKS = 2;
