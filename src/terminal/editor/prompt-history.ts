const MAX_ENTRIES = 100;

/** Earlier prompts, walked through with up and down. */
export class PromptHistory {
  /** Newest first. */
  readonly #entries: string[] = [];
  #at = -1;

  get isBrowsing(): boolean {
    return this.#at >= 0;
  }

  add(text: string): void {
    const entry = text.trim();
    if (entry === "" || entry === this.#entries[0]) return;
    this.#entries.unshift(entry);
    this.#entries.length = Math.min(this.#entries.length, MAX_ENTRIES);
  }

  /** The prompt before, or undefined if there is none. */
  older(): string | undefined {
    const entry = this.#entries[this.#at + 1];
    if (entry !== undefined) this.#at++;
    return entry;
  }

  /** The prompt after; behind the newest one stands the empty prompt one started from. */
  newer(): string | undefined {
    if (!this.isBrowsing) return undefined;
    this.#at--;
    return this.#entries[this.#at] ?? "";
  }

  leave(): void {
    this.#at = -1;
  }
}
