import type { Component } from "../component.ts";
import type { Paint } from "../text/background.ts";
import { defaultTheme } from "../theme/theme.ts";

/** A horizontal line as wide as the space it is given. */
export class DynamicBorder implements Component {
  readonly #paint: Paint;

  constructor(color: Paint = (text) => defaultTheme().fg("border", text)) {
    this.#paint = color;
  }

  invalidate(): void {}

  render(width: number): string[] {
    return [this.#paint("─".repeat(Math.max(0, width)))];
  }
}
