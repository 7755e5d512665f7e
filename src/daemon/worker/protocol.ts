import type { Decision } from "../../dispatch/index.ts";
import type { EventName, SeamEvent, UserContent } from "../../events/index.ts";
import type { Dialog, Source } from "../../extensions/index.ts";
import type { NoticeLevel, ShownKind } from "../inbox/question.ts";
import type { LogLevel } from "../log.ts";
import type { HandlersUse } from "./use-since.ts";

/** What a thread is started with. */
export interface ThreadData {
  /** The folder in which it notes what it does; undefined: nobody needs to know. */
  readonly doing?: string;
}

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
  /** Seam's own folder, where the daemon is found. */
  readonly home: string;
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

/** A tool of an extension, for whoever calls it from outside of a session. */
export interface OfferedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** JSON schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface OfferedCommand {
  readonly name: string;
  readonly description?: string;
}

/** What the extensions of a session let others call. */
export interface Offers {
  readonly tools: readonly OfferedTool[];
  readonly commands: readonly OfferedCommand[];
}

/** A tool or a command of an extension that somebody wants to run. */
export type WantedCall = (WantedTool | WantedCommand) & {
  /** Whoever wants it can put a question to a person. */
  readonly canAsk: boolean;
};

interface WantedTool {
  readonly tool: string;
  readonly callId: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** What handlers were asked about at a hook of the agent: it is not asked again. */
  readonly asked: { readonly call: boolean; readonly result: boolean };
}

interface WantedCommand {
  readonly command: string;
  readonly args: string;
}

/** What came of a call. */
export interface CallEnd {
  readonly content: readonly UserContent[];
  readonly isError: boolean;
}

/** To the thread. `seat` is the number a session has in it. */
export type ToThread =
  /** Loads a session's extensions. Answered with "ready", or "failed". */
  | { readonly do: "open"; readonly seat: number; readonly task: WorkerTask }
  /** The thread answers with "decided". `settleMs`: how long it waits for observers. */
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
  /** The thread answers with "offers", now and whenever they change. */
  | { readonly do: "offer"; readonly seat: number }
  /** The thread answers with "called", and before that with "progress". */
  | {
      readonly do: "call";
      readonly seat: number;
      /** Counts up in each thread. */
      readonly id: number;
      readonly call: WantedCall;
    }
  /** Nobody waits for this call any more. */
  | { readonly do: "abandon"; readonly seat: number; readonly id: number }
  /** What a person said to a question of an extension; no value: nobody answered. */
  | { readonly do: "answer"; readonly seat: number; readonly id: number; readonly value?: string }
  /** Whether somebody would see a question. For all of its sessions. */
  | { readonly do: "attended"; readonly isAttended: boolean }
  | { readonly do: "ping" }
  /** Nobody is left in it. */
  | { readonly do: "stop" };

/** A dialog of an extension. */
export interface AskedDialog extends Dialog {
  /** Counts up in each thread. */
  readonly id: number;
  /** The question to the extensions that it came up in, if it was one. */
  readonly during?: number;
  /** The call of a tool or a command that it came up in, if it was one. */
  readonly call?: number;
  /** The extension's file. */
  readonly from?: string;
  readonly timeoutMs?: number;
}

/** What is said of a session. */
export type SeatMessage =
  | { readonly say: "ready"; readonly listened: readonly EventName[] }
  /** It could not be loaded, and that was no extension's fault. */
  | { readonly say: "failed"; readonly detail: string }
  /** Someone subscribed or left. */
  | { readonly say: "listened"; readonly events: readonly EventName[] }
  | { readonly say: "decided"; readonly id: number; readonly decision: Decision }
  | { readonly say: "offers"; readonly offers: Offers }
  /** What a running tool has so far. */
  | { readonly say: "progress"; readonly id: number; readonly text: string }
  | { readonly say: "called"; readonly id: number; readonly end: CallEnd }
  /** For the user. `once`: no need to say it again in this session. */
  | {
      readonly say: "notice";
      readonly text: string;
      readonly level?: NoticeLevel;
      readonly once?: boolean;
    }
  /** The daemon answers with "answer". */
  | ({ readonly say: "question" } & AskedDialog)
  /** The extension does not want an answer any more. */
  | { readonly say: "unasked"; readonly id: number }
  /** What an extension shows beside its session. No lines: not any more. */
  | {
      readonly say: "show";
      readonly kind: ShownKind;
      readonly key: string;
      readonly lines?: readonly string[];
    }
  /** For the model. `now`: it is to go on working for this. */
  | { readonly say: "message"; readonly text: string; readonly now: boolean }
  /** What handlers did since it was said last. */
  | { readonly say: "use"; readonly use: readonly HandlersUse[] }
  | { readonly say: "log"; readonly level: LogLevel; readonly text: string }
  | { readonly say: "ended" };

/** What a thread says of one of its sessions. */
export type FromSeat = SeatMessage & { readonly seat: number };

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
