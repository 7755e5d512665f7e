import type { AnyEvent, Declaration } from "../events/index.ts";
import { type Complain, type Ending, type Fold, NOBODY } from "./fold.ts";
import type { Handler } from "./handler.ts";
import type { Outcome } from "./outcome.ts";
import { copyPlain, samePlain } from "./plain.ts";

/** In order; each handler sees what the one before made. */
export class Transform implements Fold {
  readonly #declaration: Declaration;
  /** As the last handler that succeeded left it. */
  #event: AnyEvent;
  /** What the running handler got: its own copy, so that a failure leaves nothing behind. */
  #offered: AnyEvent;
  #changedBy: readonly string[] = NOBODY;
  #endedBy: string | undefined;
  #withheldBy: string | undefined;

  constructor(declaration: Declaration, event: AnyEvent) {
    this.#declaration = declaration;
    this.#event = event;
    this.#offered = event;
  }

  next(): AnyEvent {
    const { mutable } = this.#declaration;
    this.#offered = mutable
      ? { ...this.#event, [mutable]: copyPlain(this.#event[mutable]) }
      : { ...this.#event };
    return this.#offered;
  }

  take({ owner }: Handler, outcome: Outcome, complain: Complain): boolean {
    const { onFailure, mutable, apply } = this.#declaration;
    if (outcome.said === "failure") {
      if (onFailure !== "withhold" || !owner.critical) return false;
      this.#withheldBy = owner.name;
      return true;
    }
    const before = this.#event;
    // Edits in place count as well: that is how many handlers for Pi are written.
    const edited = mutable !== undefined && !samePlain(before[mutable], this.#offered[mutable]);
    let after = edited ? { ...before, [mutable]: this.#offered[mutable] } : before;
    let ended = false;
    if (outcome.said === "result" && apply) {
      const applied = apply(after, outcome.result);
      if (applied.problem !== undefined) {
        complain(applied.problem);
        return false;
      }
      after = applied.event;
      ended = applied.done === true;
    }
    if (after !== before && !this.#changedBy.includes(owner.name)) {
      this.#changedBy = [...this.#changedBy, owner.name];
    }
    this.#event = after;
    if (ended) this.#endedBy = owner.name;
    return ended;
  }

  decide(ending: Ending): unknown {
    return {
      event: this.#event,
      changedBy: this.#changedBy,
      ...(this.#endedBy !== undefined && { endedBy: this.#endedBy }),
      ...(this.#withheldBy !== undefined && { withheldBy: this.#withheldBy }),
      ...ending,
    };
  }
}
