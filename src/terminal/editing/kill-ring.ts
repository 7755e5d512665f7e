/** Remembers deleted text. Deletions in a row become one entry, in the order of the text. */
export class KillRing {
  readonly #entries: string[] = [];

  add(text: string, side: "before" | "after", joinLast: boolean): void {
    if (text === "") return;
    const last = joinLast ? (this.#entries.pop() ?? "") : "";
    this.#entries.push(side === "before" ? text + last : last + text);
  }

  get latest(): string | undefined {
    return this.#entries.at(-1);
  }

  /** Makes the entry before the latest one the latest; false if there is only one. */
  rotate(): boolean {
    if (this.#entries.length < 2) return false;
    this.#entries.unshift(this.#entries.pop() ?? "");
    return true;
  }
}
