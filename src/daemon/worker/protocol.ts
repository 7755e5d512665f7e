import type { Ask } from "../../dispatch/index.ts";
import type { EventName, SeamEvent, UserContent } from "../../events/index.ts";
import type { Source } from "../../extensions/index.ts";
import type { LogLevel } from "../log.ts";

/** What a session's worker is made with. */
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

export type ToWorker =
  /** Answered with "decided". `settleMs`: how long those who only observe are waited for. */
  | {
      readonly do: "decide";
      readonly id: number;
      readonly events: readonly SeamEvent[];
      readonly settleMs: number;
    }
  | { readonly do: "observe"; readonly events: readonly SeamEvent[] }
  | { readonly do: "ping" }
  /** Tells the extensions and ends. */
  | { readonly do: "end"; readonly event: SeamEvent };

export type FromWorker =
  /** Memory that says whose code has the thread, by the number of a slot. */
  | { readonly say: "running"; readonly memory: SharedArrayBuffer }
  | { readonly say: "slot"; readonly slot: number; readonly path: string }
  | { readonly say: "ready"; readonly listened: readonly EventName[] }
  /** Someone subscribed or left. */
  | { readonly say: "listened"; readonly events: readonly EventName[] }
  | { readonly say: "decided"; readonly id: number; readonly decision: Decision }
  | { readonly say: "pong" }
  | { readonly say: "notice"; readonly text: string }
  /** For the model. `now`: it is to go on working for this. */
  | { readonly say: "message"; readonly text: string; readonly now: boolean }
  | { readonly say: "log"; readonly level: LogLevel; readonly text: string }
  /** Code of this extension ends the worker. */
  | { readonly say: "exiting"; readonly path: string | undefined };

/** What the handlers made of the events of one hook. Indexes count the tools of the hook. */
export interface Decision {
  readonly block?: { readonly reason: string; readonly by?: string };
  /** A person is to say whether the call may run. Counts only where nobody blocked it. */
  readonly ask?: Ask;
  readonly inputs: readonly {
    readonly index: number;
    readonly input: Readonly<Record<string, unknown>>;
    readonly by: readonly string[];
  }[];
  readonly results: readonly {
    readonly index: number;
    readonly content: readonly UserContent[];
    readonly isError: boolean;
    readonly by: readonly string[];
  }[];
  readonly context: readonly string[];
  readonly prompt?: {
    readonly handledBy?: string;
    readonly text?: string;
    readonly by: readonly string[];
  };
  readonly cancel?: { readonly reason: string; readonly by?: string };
  /** What was decided and no agent can be told of. */
  readonly unsaid: readonly string[];
}

export const UNDECIDED: Decision = { inputs: [], results: [], context: [], unsaid: [] };
