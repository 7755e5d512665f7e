import { messageOf } from "../errors/index.ts";
import type { AnyEvent, Declaration } from "../events/index.ts";
import { EventCopy } from "./event-copy.ts";
import { type Complain, type Ending, type Fold, NOBODY } from "./fold.ts";
import type { Handler, Owner } from "./handler.ts";
import type { HandlerResult } from "./handler-result.ts";

/** Asks handlers in order; each sees what the one before made. */
export class Transform implements Fold {
  readonly #declaration: Declaration;
  readonly #offer: EventCopy;
  #changedBy: readonly string[] = NOBODY;
  #endedBy: string | undefined;
  #withheldBy: string | undefined;

  constructor(declaration: Declaration, event: AnyEvent) {
    this.#declaration = declaration;
    this.#offer = new EventCopy(declaration, event);
  }

  next(): AnyEvent {
    return this.#offer.make();
  }

  take(handler: Handler, outcome: HandlerResult, complain: Complain): boolean {
    const { owner } = handler;
    if (outcome.said === "failure") return this.#fail(owner);
    const { name } = owner;
    try {
      // Edits in place count as well: that is how many handlers for Pi are written.
      let event = this.#offer.edited();
      let ended = false;
      if (outcome.said === "result" && this.#declaration.apply) {
        const applied = this.#declaration.apply(event, outcome.result);
        event = applied.event;
        ended = applied.done === true;
      }
      const changed = this.#offer.accept(event);
      if (changed && !this.#changedBy.includes(name)) this.#changedBy = [...this.#changedBy, name];
      if (ended) this.#endedBy = name;
      return ended;
    } catch (thrown) {
      complain(handler, messageOf(thrown));
      return this.#fail(owner);
    }
  }

  decide(ending: Ending): unknown {
    return {
      event: this.#offer.event,
      changedBy: this.#changedBy,
      ...(this.#endedBy !== undefined && { endedBy: this.#endedBy }),
      ...(this.#withheldBy !== undefined && { withheldBy: this.#withheldBy }),
      ...ending,
    };
  }

  /** True if what the failing handler should have looked at must not be used. */
  #fail({ name, critical }: Owner): boolean {
    if (this.#declaration.onFailure !== "withhold" || !critical) return false;
    this.#withheldBy = name;
    return true;
  }
}
