import {
  type DecisionOf,
  type Dispatcher,
  decideToolCall,
  type ToolCallDecision,
} from "../dispatch/index.ts";
import { messageOf } from "../errors/index.ts";
import type { EventIds, EventMap, EventName, SeamEvent } from "../events/index.ts";
import { abortable } from "./abortable.ts";

type Listener = (event: SeamEvent) => void;

/** Sends the agent's events to the extensions and to whoever runs the agent. */
export class Emitter {
  readonly #listeners = new Set<Listener>();
  readonly #own = new Map<EventName, () => void>();
  readonly #dispatcher: () => Dispatcher;
  readonly #ids: () => EventIds;
  readonly #log: (text: string) => void;

  constructor(dispatcher: () => Dispatcher, ids: () => EventIds, log: (text: string) => void) {
    this.#dispatcher = dispatcher;
    this.#ids = ids;
    this.#log = log;
  }

  /** Is called with every event before the extensions are. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Lets the agent itself note that something happened. Nothing counts as heard because of that: what
   * is made only for those who listen is not made.
   */
  note(events: readonly EventName[], happened: () => void): void {
    for (const event of events) this.#own.set(event, happened);
  }

  /** The decision; after an abort it is there at once. */
  emit<Event extends SeamEvent>(
    event: Event,
    signal?: AbortSignal,
  ): DecisionOf<Event["type"]> | Promise<DecisionOf<Event["type"]>> {
    this.#own.get(event.type)?.();
    // Most events of most sessions have nobody to go to.
    const full = this.isHeard(event.type) ? this.#announce(event) : event;
    return this.#dispatcher().emit(full, signal ? { signal } : {});
  }

  /** Tells of something outside of a turn, and waits until the observers have taken note. */
  async tell(event: SeamEvent, limitMs?: number): Promise<void> {
    const dispatcher = this.#dispatcher();
    this.emit(event);
    if (limitMs !== 0) await dispatcher.settled(limitMs);
  }

  /**
   * Tells of the start or the end of something. The promise is there if an observer has to wait for
   * something itself: what comes next begins when it is done or its time is up. An abort waits for
   * nobody.
   */
  boundary(event: SeamEvent, signal?: AbortSignal): Promise<void> | undefined {
    this.emit(event);
    const told = this.#dispatcher().observed(event.type);
    return told && (signal ? abortable(told, signal).catch(() => {}) : told);
  }

  /** Whether anyone would be told. */
  isHeard(event: EventName): boolean {
    return this.#listeners.size > 0 || this.#dispatcher().has(event);
  }

  /** Whether an extension would be told: what is dear to make is made for those alone. */
  isHandled(event: EventName): boolean {
    return this.#dispatcher().has(event);
  }

  toolCall(
    event: EventMap["tool_call"],
    options: Parameters<typeof decideToolCall>[2],
  ): Promise<ToolCallDecision> {
    const isHeard = this.isHeard("tool_call") || this.isHeard("tool_admit");
    return decideToolCall(this.#dispatcher(), isHeard ? this.#announce(event) : event, options);
  }

  #announce<Event extends SeamEvent>(event: Event): Event {
    const full = { ...event, ...this.#ids() };
    for (const listener of this.#listeners) {
      try {
        listener(full);
      } catch (thrown) {
        // Whoever looks on must not be able to stop the work.
        this.#log(`A listener failed on ${event.type}: ${messageOf(thrown)}`);
      }
    }
    return full;
  }
}
