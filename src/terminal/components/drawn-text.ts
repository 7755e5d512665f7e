import type { Component } from "../component.ts";

/** A text that is drawn once for each width, until it changes. */
export abstract class DrawnText implements Component {
  protected text: string;
  #drawn: { width: number; lines: string[] } | undefined;

  constructor(text: string) {
    this.text = text;
  }

  setText(text: string): void {
    this.text = text;
    this.invalidate();
  }

  invalidate(): void {
    this.#drawn = undefined;
  }

  render(width: number): string[] {
    if (this.#drawn?.width !== width) this.#drawn = { width, lines: this.draw(width) };
    // A copy: callers push their own lines onto what they get.
    return [...this.#drawn.lines];
  }

  protected abstract draw(width: number): string[];
}
