import type { AnyEvent, Declaration } from "../events/index.ts";
import { type Ending, type Fold, NOBODY } from "./fold.ts";
import type { Handler } from "./handler.ts";
import type { Outcome } from "./outcome.ts";
import { copyPlain, isPlainObject, samePlain } from "./plain.ts";

const LONGEST_REASON = 4_000;

/** In order; the first block or cancel wins and stops the chain. */
export class Gate implements Fold {
  readonly #declaration: Declaration;
  #event: AnyEvent;
  /** The mutable field after the last handler, to see whether the next one changes it. */
  #before: unknown;
  #changedBy: readonly string[] = NOBODY;
  #result: Readonly<Record<string, unknown>> | undefined;
  #block: { by: string; reason: string; failed?: true } | undefined;

  constructor(declaration: Declaration, event: AnyEvent) {
    this.#declaration = declaration;
    const { mutable } = declaration;
    this.#event = mutable ? { ...event, [mutable]: copyPlain(event[mutable]) } : event;
    this.#before = mutable && copyPlain(event[mutable]);
  }

  next(): AnyEvent {
    return this.#event;
  }

  take({ owner: { name } }: Handler, outcome: Outcome): boolean {
    if (outcome.said === "failure") {
      if (this.#declaration.onFailure !== "block") return false;
      const reason = `${outcome.error.message} The call was blocked to be safe.`;
      this.#block = { by: name, reason, failed: true };
      return true;
    }
    if (outcome.said === "result" && isPlainObject(outcome.result)) {
      const { result } = outcome;
      const { merge, stops, mutable } = this.#declaration;
      const earlier = this.#result;
      this.#result = earlier ? (merge?.(earlier, result) ?? { ...earlier, ...result }) : result;
      if (stops?.(result)) {
        this.#block = { by: name, reason: reasonOf(result, name) };
        return true;
      }
      if (mutable && result[mutable] !== undefined) {
        this.#event = { ...this.#event, [mutable]: copyPlain(result[mutable]) };
      }
    }
    this.#noteChange(name);
    return false;
  }

  decide(ending: Ending): unknown {
    const aborted = { reason: "The operation was aborted." };
    return {
      blocked: this.#block !== undefined || ending.aborted,
      ...(this.#block ?? (ending.aborted ? aborted : undefined)),
      ...(this.#result && { result: this.#result }),
      event: this.#event,
      changedBy: this.#changedBy,
      ...ending,
    };
  }

  #noteChange(name: string): void {
    const { mutable } = this.#declaration;
    if (!mutable) return;
    const now = this.#event[mutable];
    if (samePlain(this.#before, now)) return;
    this.#before = copyPlain(now);
    if (!this.#changedBy.includes(name)) this.#changedBy = [...this.#changedBy, name];
  }
}

function reasonOf(result: Readonly<Record<string, unknown>>, name: string): string {
  const { reason } = result;
  if (typeof reason !== "string" || reason === "") return `Blocked by ${name}.`;
  return reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)} …` : reason;
}
