import { autoCompact, tokensInContext } from "./compact.ts";
import type { Core } from "./core.ts";

// Below this part of the model's context, a compaction while idle is not worth the model call.
const IDLE_FRACTION = 0.5;

/** Compacts the conversation when the agent has had nothing to do for a while. */
export class IdleCompaction {
  readonly #core: Core;
  #timer: NodeJS.Timeout | undefined;

  constructor(core: Core) {
    this.#core = core;
  }

  /** The agent is idle from now on. */
  start(): void {
    const { idleMs, enabled } = this.#core.behaviour.compaction;
    this.stop();
    if (!enabled || idleMs <= 0) return;
    this.#timer = setTimeout(() => this.#compact(), idleMs);
    this.#timer.unref();
  }

  /** The agent has something to do again. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #compact(): void {
    const core = this.#core;
    const window = core.session.model?.contextWindow ?? 0;
    if (core.run.running || core.changes.underWay) return;
    if (tokensInContext(core) < window * IDLE_FRACTION) return;
    void autoCompact(core, "idle", false);
  }
}
