import type { SeamError } from "../errors/index.ts";
import { type AnyEvent, declarationOf } from "../events/index.ts";
import type { HandlerCall } from "./call.ts";
import type { Handler, Owner } from "./handler.ts";
import { ABORTED, late, NOTHING, type Outcome, readResult, threw } from "./outcome.ts";
import { addTime, shouldTime } from "./stats.ts";
import { Watch } from "./watch.ts";

/** What went wrong in an extension, for logs, `seam doctor` and the view. */
export interface Problem {
  readonly error: SeamError;
  readonly owner: Owner;
  readonly event?: string;
}

/** Calls handlers: one call in, one outcome out, always within the deadline or the abort. */
export class Caller {
  readonly #watch = new Watch();
  readonly #report: (problem: Problem) => void;

  constructor(report: (problem: Problem) => void) {
    this.#report = report;
  }

  /** The outcome, or a promise of it if the handler has to wait for something. */
  call(handler: Handler, event: AnyEvent, signal?: AbortSignal): Outcome | Promise<Outcome> {
    const { lane, stats } = handler;
    const { owner } = lane;
    const borrowed = lane.borrowContext();
    const startedAt = shouldTime(stats) ? performance.now() : 0;
    stats.calls++;
    let returned: unknown;
    try {
      returned = handler.run(event, borrowed.context);
      if (!isThenable(returned)) {
        lane.returnContext(borrowed);
        stats.waits = false;
        if (startedAt > 0) addTime(stats, performance.now() - startedAt);
        if (returned === undefined) return NOTHING;
        return this.#checked(handler, readResult(declarationOf(handler.event), owner, returned));
      }
    } catch (thrown) {
      return this.#checked(handler, threw(handler.event, owner, thrown));
    }
    stats.waits = true;
    return this.#wait(handler, borrowed.call, startedAt || performance.now(), returned, signal);
  }

  #wait(
    handler: Handler,
    call: HandlerCall,
    startedAt: number,
    returned: PromiseLike<unknown>,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    const { event, owner, stats, deadlineMs } = handler;
    return new Promise((resolve) => {
      let over = false;
      const settle = (outcome: Outcome) => {
        if (over) return;
        over = true;
        this.#watch.delete(running);
        signal?.removeEventListener("abort", onAbort);
        addTime(stats, performance.now() - startedAt);
        // Whatever the handler still does, nobody is waiting for it any more.
        call.end(signal?.reason);
        resolve(this.#checked(handler, outcome));
      };
      const onAbort = () => settle(ABORTED);
      const expire = () => {
        stats.timeouts++;
        settle(late(event, owner, deadlineMs));
      };
      const running = { call, startedAt, deadlineMs, expire };
      // Promise.resolve also tames thenables: ones that call twice, throw, or bring a promise.
      Promise.resolve(returned).then(
        (value) => over || settle(readResult(declarationOf(event), owner, value)),
        (thrown) => over || settle(threw(event, owner, thrown)),
      );
      if (signal?.aborted) return settle(ABORTED);
      this.#watch.add(running);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  #checked(handler: Handler, outcome: Outcome): Outcome {
    if (outcome.said === "failure") {
      handler.stats.errors++;
      this.#report({ error: outcome.error, owner: handler.owner, event: handler.event });
    }
    return outcome;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}
