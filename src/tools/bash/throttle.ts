/** Calls `action` at once and then at most once per `ms` while there is something new. */
export class Throttle {
  readonly #action: () => void;
  readonly #ms: number;
  #timer: NodeJS.Timeout | undefined;
  #dirty = false;
  #stopped = false;

  constructor(ms: number, action: () => void) {
    this.#ms = ms;
    this.#action = action;
  }

  trigger(): void {
    if (this.#stopped) return;
    this.#dirty = true;
    if (!this.#timer) this.#run();
  }

  /** Calls what is still due, and nothing after that. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    if (this.#dirty) this.#action();
  }

  #run(): void {
    this.#timer = undefined;
    if (!this.#dirty) return;
    this.#dirty = false;
    this.#timer = setTimeout(() => this.#run(), this.#ms);
    this.#action();
  }
}
