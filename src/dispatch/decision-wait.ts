import type { Caller, PendingCall } from "./caller.ts";
import type { Timed } from "./deadline-timer.ts";
import { ABORTED, type HandlerResult } from "./handler-result.ts";
import { settles } from "./running.ts";
import { addWait } from "./stats.ts";

/**
 * Waits for the handlers of one decision that do not answer at once, one after the other: whatever
 * comes first, a handler's result, its deadline or an abort. One for all of them, because to be
 * watched costs more than most handlers do.
 */
export class DecisionWait implements Timed {
  readonly awaited = true;
  readonly #caller: Caller;
  readonly #signal: AbortSignal | undefined;
  /** The handler that is waited for, and who goes on with what it says. */
  #current: PendingCall | undefined;
  #resolve: (outcome: HandlerResult) => void = () => {};

  constructor(caller: Caller, signal: AbortSignal | undefined) {
    this.#caller = caller;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  for(started: PendingCall): Promise<HandlerResult> {
    started.startedAt ||= performance.now();
    this.#current = started;
    const { handler } = started;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      // Promise.resolve also tames thenables: ones that call twice, throw, or bring a promise.
      Promise.resolve(started.returned).then(
        (value) => {
          settles(handler.slot);
          if (this.#current === started) this.#settle(this.#caller.resolved(handler, value), true);
        },
        (thrown) => {
          settles(handler.slot);
          if (this.#current === started) this.#settle(this.#caller.rejected(handler, thrown), true);
        },
      );
      if (this.#signal?.aborted) this.#onAbort();
      else this.#caller.timer.add(this);
    });
  }

  /** The decision is made. */
  end(): void {
    this.#caller.timer.delete(this);
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }

  get active(): boolean {
    return this.#current !== undefined;
  }
  get deadlineMs(): number {
    return this.#current?.handler.deadlineMs ?? 0;
  }
  elapsed(now: number): number {
    const current = this.#current;
    return current ? current.call.elapsed(current.startedAt, now) : 0;
  }
  expire(): void {
    if (this.#current) this.#settle(this.#caller.expired(this.#current.handler), false);
  }

  readonly #onAbort = () => this.#settle(ABORTED, false);

  #settle(outcome: HandlerResult, finished: boolean): void {
    const current = this.#current;
    if (!current) return;
    this.#current = undefined;
    const { handler, call, startedAt } = current;
    addWait(handler.stats, performance.now() - startedAt);
    // This comes first, because a listener of the handler's signal may never return.
    this.#resolve(outcome);
    // A handler that is done gives its context back; one that is not must learn that nobody waits.
    if (finished && call.untouched) handler.queue.returnCall(call);
    else call.end(this.#signal?.reason);
  }
}
