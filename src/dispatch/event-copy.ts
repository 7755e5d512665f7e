import { type AnyEvent, type Declaration, mismatch } from "../events/index.ts";
import { Original, samePlain, takePlain } from "./plain.ts";

const NONE: readonly string[] = [];

/**
 * The event as each handler gets it: its own copy, so that what one handler does to it reaches the
 * next one only after it was looked at, and a failing handler leaves nothing behind.
 */
export class EventCopy {
  readonly #declaration: Declaration;
  readonly #mutable: readonly string[];
  #event: AnyEvent;
  /** The fields a handler may edit in place, in the order of `mutable`. */
  #originals: readonly Original[];
  #offered: Record<string, unknown> = NOTHING_YET;

  constructor(declaration: Declaration, event: AnyEvent) {
    this.#declaration = declaration;
    this.#mutable = declaration.mutable ?? NONE;
    this.#event = event;
    this.#originals = this.#mutable.map((field) => new Original(event[field]));
  }

  /** The event as the last handler that succeeded left it. */
  get event(): AnyEvent {
    return this.#event;
  }

  make(): AnyEvent {
    const offered: Record<string, unknown> & { type: string } = { ...this.#event };
    const originals = this.#originals;
    for (let i = 0; i < originals.length; i++) {
      offered[this.#mutable[i] ?? ""] = originals[i]?.copy();
    }
    this.#offered = offered;
    return offered;
  }

  /** The event with the fields a handler edited in place. Throws if they cannot be used. */
  edited(): AnyEvent {
    let event = this.#event;
    const originals = this.#originals;
    for (let i = 0; i < originals.length; i++) {
      const field = this.#mutable[i] ?? "";
      if (originals[i]?.equals(this.#offered[field])) continue;
      event = { ...event, [field]: takePlain(this.#offered[field]) };
    }
    if (event === this.#event) return event;
    const problem = mismatch(this.#declaration.payload, event);
    if (problem !== undefined) throw new Error(problem);
    return event;
  }

  /** Makes an event the current one. True if it differs from the one before. */
  accept(event: AnyEvent): boolean {
    const before = this.#event;
    if (event === before) return false;
    const problem = this.#declaration.vet?.(before, event);
    if (problem !== undefined) throw new Error(problem);
    const changed = Object.keys(event).some((key) => !samePlain(before[key], event[key]));
    if (changed) {
      this.#event = event;
      this.#originals = this.#mutable.map((field) => new Original(event[field]));
    }
    return changed;
  }
}

const NOTHING_YET: Record<string, unknown> = {};
