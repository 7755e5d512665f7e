import type { SeamError } from "../errors/index.ts";
import { type AnyEvent, declarationOf } from "../events/index.ts";
import type { Handler, Owner } from "./handler.ts";
import type { Borrowed } from "./lane.ts";
import { ABORTED, late, NOTHING, type Outcome, readResult, threw } from "./outcome.ts";
import { addTime, shouldTime } from "./stats.ts";
import { type Running, Watch } from "./watch.ts";

/** What went wrong in an extension, for logs, `seam doctor` and the view. */
export interface Problem {
  readonly error: SeamError;
  readonly owner: Owner;
  readonly event?: string;
}

/** A call that is waited for: who waits, and until when. */
interface Waiting {
  readonly settle: (outcome: Outcome) => void;
  readonly signal?: AbortSignal | undefined;
  /** Whether the process must live until this is over. */
  readonly awaited: boolean;
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
    let resolve: ((outcome: Outcome) => void) | undefined;
    let settled: Outcome | undefined;
    const outcome = this.start(handler, event, {
      settle: (later) => {
        if (resolve) resolve(later);
        else settled = later;
      },
      signal,
      awaited: true,
    });
    if (outcome) return outcome;
    // An abort can have settled it before anyone could wait for it.
    if (settled) return Promise.resolve(settled);
    return new Promise((done) => {
      resolve = done;
    });
  }

  /** The outcome if the handler returned at once; else `waiting.settle` gets it later. */
  start(handler: Handler, event: AnyEvent, waiting: Waiting): Outcome | undefined {
    const { lane, stats, owner } = handler;
    const startedAt = shouldTime(stats) ? performance.now() : 0;
    stats.calls++;
    let borrowed: Borrowed | undefined;
    let returned: unknown;
    try {
      borrowed = lane.borrowContext();
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
    const pending = new PendingCall(handler, borrowed, startedAt || performance.now(), waiting);
    pending.follow(returned, this.#watch, (outcome) => this.#checked(handler, outcome));
    return undefined;
  }

  #checked(handler: Handler, outcome: Outcome): Outcome {
    if (outcome.said === "failure") {
      handler.stats.errors++;
      this.#report({ error: outcome.error, owner: handler.owner, event: handler.event });
    }
    return outcome;
  }
}

/** A handler that returned a promise: whatever comes first, its result, the deadline or an abort. */
class PendingCall implements Running {
  readonly #handler: Handler;
  readonly #borrowed: Borrowed;
  readonly #waiting: Waiting;
  readonly startedAt: number;
  #watch: Watch | undefined;
  #checked: ((outcome: Outcome) => Outcome) | undefined;
  #onAbort: (() => void) | undefined;
  #over = false;

  constructor(handler: Handler, borrowed: Borrowed, startedAt: number, waiting: Waiting) {
    this.#handler = handler;
    this.#borrowed = borrowed;
    this.startedAt = startedAt;
    this.#waiting = waiting;
  }

  get call() {
    return this.#borrowed.call;
  }
  get deadlineMs() {
    return this.#handler.deadlineMs;
  }
  get awaited() {
    return this.#waiting.awaited;
  }

  follow(returned: PromiseLike<unknown>, watch: Watch, checked: (outcome: Outcome) => Outcome) {
    this.#watch = watch;
    this.#checked = checked;
    const { event, owner } = this.#handler;
    // Promise.resolve also tames thenables: ones that call twice, throw, or bring a promise.
    Promise.resolve(returned).then(
      (value) => {
        if (this.#over) return;
        const silent = value === undefined;
        this.#settle(silent ? NOTHING : readResult(declarationOf(event), owner, value), true);
      },
      (thrown) => {
        if (!this.#over) this.#settle(threw(event, owner, thrown), true);
      },
    );
    const { signal } = this.#waiting;
    if (signal?.aborted) return this.#settle(ABORTED, false);
    watch.add(this);
    if (!signal) return;
    this.#onAbort = () => this.#settle(ABORTED, false);
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  expire(): void {
    const { event, owner, deadlineMs, stats } = this.#handler;
    stats.timeouts++;
    this.#settle(late(event, owner, deadlineMs), false);
  }

  #settle(outcome: Outcome, finished: boolean): void {
    if (this.#over) return;
    this.#over = true;
    const { signal, settle } = this.#waiting;
    const { stats, lane } = this.#handler;
    this.#watch?.delete(this);
    if (this.#onAbort) signal?.removeEventListener("abort", this.#onAbort);
    addTime(stats, performance.now() - this.startedAt);
    // A handler that is done gives its context back; one that is not must learn that nobody waits.
    if (finished && this.call.untouched) lane.returnContext(this.#borrowed);
    else this.call.end(signal?.reason);
    settle(this.#checked?.(outcome) ?? outcome);
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
