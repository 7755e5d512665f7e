import { SeamError } from "../errors/index.ts";
import {
  type AnyEvent,
  type Declaration,
  declarationOf,
  EVENT_NAMES,
  type EventKind,
  type EventName,
  explainUnknownEvent,
  isEventName,
  type SeamEvent,
} from "../events/index.ts";
import { Caller, type Problem } from "./caller.ts";
import { Claim } from "./claim.ts";
import { Collect } from "./collect.ts";
import type { DecisionOf } from "./decision.ts";
import { type DriveOptions, drive, type Machinery } from "./drive.ts";
import type { NewFold } from "./fold.ts";
import { refused, undecided } from "./fold.ts";
import { Gate } from "./gate.ts";
import type { Handler, HandlerFunction, HandlerOptions, Owner } from "./handler.ts";
import { ObserverQueue } from "./observer-queue.ts";
import { inOrder } from "./order.ts";
import { running, slotOf } from "./running.ts";
import { type HandlerStats, newStats } from "./stats.ts";
import { Transform } from "./transform.ts";

/** How a dispatcher deals with handlers that fail, are slow or fall behind. */
export interface DispatcherOptions {
  /** Is called with everything that goes wrong in a handler. */
  onProblem?: (problem: Problem) => void;
  /** Deadlines that differ from the declared ones. */
  deadlines?: Partial<Record<EventName, number>>;
  /** How many observed events may wait per extension. */
  queueLimit?: number;
  catchUpMs?: number;
}

/** How one event is sent. */
export type EmitOptions = DriveOptions;

/** How often a handler ran and how long it took. */
export interface HandlerReport extends Omit<HandlerStats, "timeAt"> {
  readonly owner: string;
  readonly path: string;
  readonly event: EventName;
}

interface Plan {
  readonly declaration: Declaration;
  readonly fold: NewFold | undefined;
  handlers: readonly Handler[];
}

interface Announcement {
  readonly handlers: readonly Handler[];
  readonly event: AnyEvent;
}

/** Observation decides nothing: it goes to the queues. */
const FOLDS: Record<EventKind, NewFold | undefined> = {
  observe: undefined,
  gate: Gate,
  transform: Transform,
  claim: Claim,
  collect: Collect,
};

/**
 * The handlers of all extensions of one session, and the way from an event to a decision.
 *
 * @example
 * const dispatcher = new Dispatcher();
 * const owner = { name: "mine", path: "mine.ts", createContext: () => ({}) };
 * dispatcher.on(owner, "tool_call", () => ({ block: true, reason: "Not today." }));
 * const call = { type: "tool_call", toolName: "bash", toolCallId: "1", input: {} } as const;
 * console.log((await dispatcher.emit(call)).blocked);
 */
export class Dispatcher {
  readonly #plans = new Map<string, Plan>();
  readonly #queues = new Map<Owner, ObserverQueue>();
  readonly #handlers: Handler[] = [];
  readonly #options: Required<Pick<DispatcherOptions, "queueLimit" | "deadlines">>;
  readonly #machinery: Machinery;
  readonly #later: Announcement[] = [];
  readonly #knownCycles = new Set<string>();
  #closed = false;
  #announcing = false;

  constructor({
    onProblem = () => {},
    deadlines = {},
    queueLimit = 10_000,
    catchUpMs = 500,
  }: DispatcherOptions = {}) {
    const report = (problem: Problem) => {
      try {
        onProblem(problem);
      } catch {
        // A broken listener must not turn one extension's problem into everybody's.
      }
    };
    const complain = (handler: Handler, detail: string) => {
      handler.stats.errors++;
      const { owner, event } = handler;
      const error = new SeamError("SEAM_HANDLER_RESULT", { path: owner.path, event, detail });
      report({ error, owner, event });
      return error;
    };
    this.#machinery = { caller: new Caller(report), report, complain, catchUpMs };
    this.#options = { queueLimit, deadlines };
    for (const name of EVENT_NAMES) {
      const declaration = declarationOf(name);
      this.#plans.set(name, { declaration, fold: FOLDS[declaration.kind], handlers: [] });
    }
  }

  /** Extensions run in the order in which they are added. */
  addOwner(owner: Owner): void {
    const { caller, report } = this.#machinery;
    const limit = this.#options.queueLimit;
    if (!this.#queues.has(owner))
      this.#queues.set(owner, new ObserverQueue(owner, caller, report, { limit }));
  }

  /** Nothing of this extension runs any more, also not in a dispatch that is under way. */
  removeOwner(owner: Owner): void {
    this.#queues.get(owner)?.close();
    this.#queues.delete(owner);
    const events = new Set<EventName>();
    for (const handler of this.#handlers) if (handler.owner === owner) events.add(handler.event);
    this.#forget((handler) => handler.owner === owner, events);
  }

  /** The extensions are gone for good. Who goes on asking is told no where a failure would say no. */
  close(): void {
    this.#closed = true;
  }

  /** Subscribes; the function returned undoes it. */
  on(owner: Owner, event: string, run: unknown, options: HandlerOptions = {}): () => void {
    if (!isEventName(event)) {
      const hint = explainUnknownEvent(event);
      throw new SeamError("SEAM_EVENT_UNKNOWN", { path: owner.path, event, hint });
    }
    if (typeof run !== "function") {
      throw new SeamError("SEAM_HANDLER_NOT_FUNCTION", { path: owner.path, event });
    }
    this.addOwner(owner);
    const queue = this.#queues.get(owner);
    if (!queue) throw new SeamError("SEAM_EXT_STALE", { path: owner.path });
    const declared = this.#options.deadlines[event] ?? declarationOf(event).deadlineMs;
    const handler: Handler = {
      queue,
      run: run as HandlerFunction,
      stats: newStats(),
      slot: slotOf(owner, event),
      owner,
      event,
      deadlineMs: options.deadlineMs ?? declared,
      before: names(options.before),
      after: names(options.after),
    };
    this.#handlers.push(handler);
    this.#replan(event);
    return () => this.#forget((other) => other === handler, [event]);
  }

  /** Whether anyone listens: hosts skip preparing what nobody will look at. */
  has(event: EventName): boolean {
    return this.#handlersOf(event).length > 0;
  }

  /**
   * Sends an event to everyone who listens. The decision is there at once if no handler has to
   * wait for something; observation never makes the caller wait.
   */
  emit<Event extends SeamEvent>(
    event: Event,
    options: EmitOptions = NO_OPTIONS,
  ): DecisionOf<Event["type"]> | Promise<DecisionOf<Event["type"]>> {
    // The kinds fold untyped events; DecisionOf says which type comes out for which event.
    return this.#emit(event as unknown as AnyEvent, options) as DecisionOf<Event["type"]>;
  }

  #emit(event: AnyEvent, options: EmitOptions): unknown {
    const plan = this.#plans.get(event.type);
    if (!plan) {
      const hint = explainUnknownEvent(event.type);
      throw new SeamError("SEAM_EVENT_UNKNOWN", { path: "The host", event: event.type, hint });
    }
    const { handlers, fold: NewFold, declaration } = plan;
    if (!NewFold) {
      if (handlers.length > 0) this.#announce(handlers, event);
      return undefined;
    }
    const mayFail = declaration.onFailure !== "block";
    if (this.#closed && !mayFail) return refused(event);
    if (handlers.length === 0) return undecided(declaration.kind, event);
    const decision = drive(this.#machinery, new NewFold(declaration, event), handlers, options);
    if (mayFail || !(decision instanceof Promise)) return decision;
    // Those who were still to be asked may be gone by now.
    return decision.then((made: unknown) => (this.#closed ? refused(event) : made));
  }

  /** An event that an observer emits comes after the one that the others have not seen yet. */
  #announce(handlers: readonly Handler[], event: AnyEvent): void {
    if (this.#announcing) {
      this.#later.push({ handlers, event });
      return;
    }
    this.#announcing = true;
    const before = running[0] ?? 0;
    offerAll(handlers, event);
    for (let count = 1; this.#later.length > 0; count++) {
      // An observer that answers every event with another one must come to an end.
      if (count > MOST_NESTED) this.#later.length = 0;
      const later = this.#later.shift();
      if (later) offerAll(later.handlers, later.event);
    }
    running[0] = before;
    this.#announcing = false;
  }

  /** Resolves when every observed event so far was delivered, or after `limitMs`. */
  async settled(limitMs = 30_000): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.caughtUp(limitMs)));
  }

  /**
   * Resolves when those who observe the event that was just sent are done with it, or their time is
   * up; undefined if they are. Extensions that are far behind with earlier events are not waited for.
   */
  observed(event: EventName): Promise<void> | undefined {
    const counts = new Map<ObserverQueue, number>();
    for (const { queue } of this.#handlersOf(event))
      counts.set(queue, (counts.get(queue) ?? 0) + 1);
    const { catchUpMs } = this.#machinery;
    const waits = [...counts].flatMap(([queue, count]) => queue.delivered(count, catchUpMs) ?? []);
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => {});
  }

  /** Work, errors and time of every handler. */
  report(): HandlerReport[] {
    return this.#handlers.map(
      ({ owner: { name, path }, event, stats: { timeAt: _, ...stats } }) => ({
        owner: name,
        path,
        event,
        ...stats,
      }),
    );
  }

  /** Observed events an extension was too slow for. */
  lost(owner: Owner): number {
    return this.#queues.get(owner)?.lost ?? 0;
  }

  #handlersOf(event: EventName): readonly Handler[] {
    return this.#plans.get(event)?.handlers ?? [];
  }

  #forget(gone: (handler: Handler) => boolean, events: Iterable<EventName>): void {
    for (let i = this.#handlers.length - 1; i >= 0; i--) {
      const handler = this.#handlers[i];
      if (handler && gone(handler)) this.#handlers.splice(i, 1);
    }
    for (const event of events) this.#replan(event);
  }

  /** A new list each time, so that a dispatch under way keeps the one it started with. */
  #replan(event: EventName): void {
    const plan = this.#plans.get(event);
    if (!plan) return;
    const owners = [...this.#queues.keys()];
    const mine = this.#handlers
      .filter((handler) => handler.event === event)
      .sort((a, b) => owners.indexOf(a.owner) - owners.indexOf(b.owner));
    const { handlers, cycles } = inOrder(mine);
    plan.handlers = handlers;
    for (const cycle of cycles) {
      const detail = [...new Set(cycle.map(({ owner }) => owner.name))].join(", ");
      const [first] = cycle;
      if (!first || this.#knownCycles.has(`${event} ${detail}`)) continue;
      this.#knownCycles.add(`${event} ${detail}`);
      const error = new SeamError("SEAM_HANDLER_ORDER", { event, detail });
      this.#machinery.report({ error, owner: first.owner, event });
    }
  }
}

const MOST_NESTED = 10_000;
const NO_OPTIONS: EmitOptions = Object.freeze({});
const NO_NAMES: readonly string[] = Object.freeze([]);

function offerAll(handlers: readonly Handler[], event: AnyEvent): void {
  for (const handler of handlers) handler.queue.offer(handler, event);
}

function names(value: string | string[] | undefined): readonly string[] {
  if (value === undefined) return NO_NAMES;
  return typeof value === "string" ? [value] : value;
}
