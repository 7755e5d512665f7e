import type { AnyEvent, Declaration } from "../events/index.ts";
import type { Ending, Fold } from "./fold.ts";
import type { Handler } from "./handler.ts";
import type { HandlerResult } from "./handler-result.ts";

/** All run; every answer is kept with its origin. */
export class Collect implements Fold {
  readonly #event: AnyEvent;
  readonly #results: { by: string; result: unknown }[] = [];

  constructor(_declaration: Declaration, event: AnyEvent) {
    this.#event = event;
  }

  next(): AnyEvent {
    return this.#event;
  }

  take(handler: Handler, outcome: HandlerResult): boolean {
    if (outcome.said === "result") {
      this.#results.push({ by: handler.owner.name, result: outcome.result });
    }
    return false;
  }

  decide(ending: Ending): unknown {
    return { results: this.#results, ...ending };
  }
}
