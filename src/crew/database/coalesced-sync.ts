/**
 * Puts what was written on the disk, as often as the disk can and no more often: what is written
 * while one sync is under way is covered by the next one.
 */
export class CoalescedSync {
  readonly #sync: () => Promise<void>;
  #isDirty = false;
  #round: Promise<void> | undefined;

  constructor(sync: () => Promise<void>) {
    this.#sync = sync;
  }

  /** Something was written. */
  wrote(): void {
    this.#isDirty = true;
    // A failed sync is told to those who wait for it.
    this.#begin().catch(() => {});
  }

  /** Resolves when everything that was written before is on the disk. */
  async settled(): Promise<void> {
    while (this.#isDirty || this.#round) await this.#begin();
  }

  #begin(): Promise<void> {
    this.#round ??= this.#rounds().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #rounds(): Promise<void> {
    while (this.#isDirty) {
      this.#isDirty = false;
      try {
        await this.#sync();
      } catch (error) {
        this.#isDirty = true;
        throw error;
      }
    }
  }
}
