import { type AnyEvent, type Declaration, mismatch } from "../events/index.ts";
import { copyPlain, samePlain, takePlain } from "./plain.ts";

/**
 * The event as each handler gets it: its own copy, so that what one handler does to it reaches the
 * next one only after it was looked at, and a failing handler leaves nothing behind.
 */
export class Offer {
  readonly #declaration: Declaration;
  #event: AnyEvent;
  #offered: Record<string, unknown> = {};

  constructor(declaration: Declaration, event: AnyEvent) {
    this.#declaration = declaration;
    this.#event = event;
  }

  /** As the last handler that succeeded left it. */
  get event(): AnyEvent {
    return this.#event;
  }

  make(): AnyEvent {
    const offered: Record<string, unknown> & { type: string } = { ...this.#event };
    for (const field of this.#declaration.mutable ?? []) offered[field] = copyPlain(offered[field]);
    this.#offered = offered;
    return offered;
  }

  /** The event with the fields a handler edited in place. Throws if they cannot be used. */
  edited(): AnyEvent {
    const { mutable = [], payload } = this.#declaration;
    let event = this.#event;
    for (const field of mutable) {
      if (samePlain(event[field], this.#offered[field])) continue;
      event = { ...event, [field]: takePlain(this.#offered[field]) };
    }
    if (event === this.#event) return event;
    const problem = mismatch(payload, event);
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
    if (changed) this.#event = event;
    return changed;
  }
}
