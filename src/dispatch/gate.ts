import { messageOf } from "../errors/index.ts";
import type { AnyEvent, Declaration } from "../events/index.ts";
import { type Complain, type Ending, type Fold, NOBODY } from "./fold.ts";
import type { Handler } from "./handler.ts";
import { Offer } from "./offer.ts";
import type { Outcome } from "./outcome.ts";
import { isPlainObject } from "./plain.ts";

const LONGEST_REASON = 4_000;

/** In order; the first block or cancel wins and stops the chain. */
export class Gate implements Fold {
  readonly #declaration: Declaration;
  readonly #offer: Offer;
  #changedBy: readonly string[] = NOBODY;
  #result: Readonly<Record<string, unknown>> | undefined;
  #block: { by: string; reason: string; failed?: true } | undefined;

  constructor(declaration: Declaration, event: AnyEvent) {
    this.#declaration = declaration;
    this.#offer = new Offer(declaration, event);
  }

  next(): AnyEvent {
    return this.#offer.make();
  }

  take({ owner: { name } }: Handler, outcome: Outcome, complain: Complain): boolean {
    if (outcome.said === "failure") return this.#fail(name, outcome.error.message);
    const result = outcome.said === "result" ? outcome.result : undefined;
    try {
      let event = this.#offer.edited();
      if (isPlainObject(result)) {
        this.#merge(result);
        if (this.#declaration.stops?.(result)) {
          this.#block = { by: name, reason: reasonOf(result, name) };
          return true;
        }
        for (const field of this.#declaration.mutable ?? []) {
          if (result[field] !== undefined) event = { ...event, [field]: result[field] };
        }
      }
      const changed = this.#offer.accept(event);
      if (changed && !this.#changedBy.includes(name)) this.#changedBy = [...this.#changedBy, name];
      return false;
    } catch (thrown) {
      return this.#fail(name, complain(messageOf(thrown)).message);
    }
  }

  decide(ending: Ending): unknown {
    const aborted = { reason: "The operation was aborted." };
    return {
      blocked: this.#block !== undefined || ending.aborted,
      ...(this.#block ?? (ending.aborted ? aborted : undefined)),
      ...(this.#result && { result: this.#result }),
      event: this.#offer.event,
      changedBy: this.#changedBy,
      ...ending,
    };
  }

  /** True if a failure closes this gate. */
  #fail(by: string, message: string): boolean {
    if (this.#declaration.onFailure !== "block") return false;
    this.#block = { by, reason: `${message} The call was blocked to be safe.`, failed: true };
    return true;
  }

  #merge(result: Readonly<Record<string, unknown>>): void {
    const earlier = this.#result;
    const { merge } = this.#declaration;
    this.#result = earlier ? (merge?.(earlier, result) ?? { ...earlier, ...result }) : result;
  }
}

function reasonOf(result: Readonly<Record<string, unknown>>, name: string): string {
  const { reason } = result;
  if (typeof reason !== "string" || reason === "") return `Blocked by ${name}.`;
  return reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)} …` : reason;
}
