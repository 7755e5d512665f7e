/** Calls `end` once nothing happened for a while. */
export class IdleWatch {
  readonly #ms: number;
  readonly #isBusy: () => boolean;
  readonly #end: () => void;
  #lastUsed = Date.now();
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number, isBusy: () => boolean, end: () => void) {
    this.#ms = ms;
    this.#isBusy = isBusy;
    this.#end = end;
    this.#timer = setInterval(() => this.#check(), Math.min(30_000, Math.max(ms / 4, 10)));
    this.#timer.unref();
  }

  touch(): void {
    this.#lastUsed = Date.now();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    if (this.#isBusy()) this.touch();
    else if (Date.now() - this.#lastUsed >= this.#ms) this.#end();
  }
}
