import type { AnyEvent, Declaration } from "../events/index.ts";
import type { Ending, Fold } from "./fold.ts";
import type { Handler } from "./handler.ts";
import type { HandlerResult } from "./handler-result.ts";

/** The first handler that answers wins; one that fails is passed over. */
export class Claim implements Fold {
  readonly #event: AnyEvent;
  #winner: { by: string; result: unknown } | undefined;

  constructor(_declaration: Declaration, event: AnyEvent) {
    this.#event = event;
  }

  next(): AnyEvent {
    return this.#event;
  }

  take(handler: Handler, outcome: HandlerResult): boolean {
    if (outcome.said !== "result") return false;
    this.#winner = { by: handler.owner.name, result: outcome.result };
    return true;
  }

  decide(ending: Ending): unknown {
    return { ...this.#winner, ...ending };
  }
}
