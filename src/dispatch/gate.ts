import { messageOf } from "../errors/index.ts";
import type { AnyEvent, Declaration } from "../events/index.ts";
import { type Ask, joinAsks, unasked } from "./ask.ts";
import { EventCopy } from "./event-copy.ts";
import { COMPLETE, type Complain, type Ending, type Fold, NOBODY } from "./fold.ts";
import type { Handler } from "./handler.ts";
import type { HandlerResult } from "./handler-result.ts";
import { isPlainObject } from "./plain.ts";

const LONGEST_REASON = 4_000;

/**
 * In order; the first block or cancel wins and stops the chain. A question to a person does not:
 * a later handler may still block, and then nobody needs to be asked.
 */
export class Gate implements Fold {
  readonly #declaration: Declaration;
  readonly #offer: EventCopy;
  #changedBy: readonly string[] = NOBODY;
  #result: Readonly<Record<string, unknown>> | undefined;
  #block: { by: string; reason: string; failed?: true } | undefined;
  #ask: Ask | undefined;

  constructor(declaration: Declaration, event: AnyEvent) {
    this.#declaration = declaration;
    this.#offer = new EventCopy(declaration, event);
  }

  next(): AnyEvent {
    return this.#offer.make();
  }

  take(handler: Handler, outcome: HandlerResult, complain: Complain): boolean {
    const { name } = handler.owner;
    if (outcome.said === "failure") return this.#fail(name, outcome.error.message);
    const result = outcome.said === "result" ? outcome.result : undefined;
    try {
      let event = this.#offer.edited();
      if (isPlainObject(result)) {
        this.#merge(result);
        if (this.#declaration.stops?.(result)) {
          this.#block = { by: name, reason: reasonOf(result) ?? `Blocked by ${name}.` };
          return true;
        }
        if (this.#declaration.asks?.(result)) this.#ask = joinAsks(this.#ask, askOf(result, name));
        for (const field of this.#declaration.mutable ?? []) {
          if (result[field] !== undefined) event = { ...event, [field]: result[field] };
        }
      }
      const changed = this.#offer.accept(event);
      if (changed && !this.#changedBy.includes(name)) this.#changedBy = [...this.#changedBy, name];
      return false;
    } catch (thrown) {
      return this.#fail(name, complain(handler, messageOf(thrown)).message);
    }
  }

  decide(ending: Ending): unknown {
    const no = this.#block ?? (ending.aborted ? ABORTED : undefined);
    // Nearly all decisions are like this one: written out, because spreading costs as much as asking.
    if (!no && !this.#ask && !this.#result && ending === COMPLETE) {
      const event = this.#offer.event;
      return { blocked: false, event, changedBy: this.#changedBy, aborted: false };
    }
    return {
      ...(no || !this.#ask ? { blocked: no !== undefined, ...no } : unasked(this.#ask)),
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

const ABORTED = { reason: "The operation was aborted." };

function askOf(result: Readonly<Record<string, unknown>>, by: string): Ask {
  const reason = reasonOf(result) ?? `${by} wants the user to decide.`;
  return { reason, by, unanswered: result.unanswered === "allow" ? "allow" : "block" };
}

function reasonOf({ reason }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof reason !== "string" || reason === "") return undefined;
  return reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)} …` : reason;
}
