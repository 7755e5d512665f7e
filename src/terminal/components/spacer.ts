import type { Component } from "../component.ts";

/** Empty lines. */
export class Spacer implements Component {
  #lines: number;

  constructor(lines = 1) {
    this.#lines = lines;
  }

  setLines(lines: number): void {
    this.#lines = lines;
  }

  invalidate(): void {}

  render(_width: number): string[] {
    return new Array<string>(Math.max(0, this.#lines)).fill("");
  }
}
