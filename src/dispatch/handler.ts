import type { AnyEvent, EventName } from "../events/index.ts";
import type { HandlerCall } from "./call.ts";
import type { ObserverQueue } from "./observer-queue.ts";
import type { HandlerStats } from "./stats.ts";

/** Who a handler belongs to: one extension in one session. */
export interface Owner {
  /** Short name, used in before/after and in messages. */
  readonly name: string;
  /** Where it was loaded from, used in reports. */
  readonly path: string;
  /** A failure of this extension must not go unnoticed by the agent. */
  readonly critical?: boolean;
  /** The second argument of its handlers. Called once per running call, not once per event. */
  createContext(call: HandlerCall): unknown;
}

/**
 * How one handler is run beside the others of its event.
 *
 * @example
 * pi.on("tool_call", () => ({ block: true }), { after: "protected-paths", deadlineMs: 500 });
 */
export interface HandlerOptions {
  /** Run before these extensions' handlers of the same event. */
  before?: string | string[];
  /** Run after these extensions' handlers of the same event. */
  after?: string | string[];
  /** How long the handler may take, instead of what the event allows. */
  deadlineMs?: number;
}

export type HandlerFunction = (event: AnyEvent, context: unknown) => unknown;

/**
 * One subscription. What every call needs stands first, here and in the objects it leads to: then it lies
 * in few lines of the processor's cache, which is what the way to fifty quick handlers takes its time from.
 */
export interface Handler {
  readonly queue: ObserverQueue;
  readonly run: HandlerFunction;
  readonly stats: HandlerStats;
  /** Its number among all code of extensions. */
  readonly slot: number;
  readonly owner: Owner;
  readonly event: EventName;
  readonly deadlineMs: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}
