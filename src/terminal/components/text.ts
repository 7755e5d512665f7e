import type { Component } from "../component.ts";
import type { Paint } from "../text/background.ts";
import { wrapTextWithAnsi } from "../text/wrap.ts";
import { padded } from "./padding.ts";

/** Text of any length, broken into lines between words. */
export class Text implements Component {
  #text: string;
  #paint: Paint | undefined;
  readonly #paddingX: number;
  readonly #paddingY: number;
  #drawn: { width: number; lines: string[] } | undefined;

  constructor(text = "", paddingX = 1, paddingY = 1, customBgFn?: Paint) {
    this.#text = text;
    this.#paddingX = paddingX;
    this.#paddingY = paddingY;
    this.#paint = customBgFn;
  }

  setText(text: string): void {
    this.#text = text;
    this.invalidate();
  }

  setCustomBgFn(customBgFn?: Paint): void {
    this.#paint = customBgFn;
    this.invalidate();
  }

  invalidate(): void {
    this.#drawn = undefined;
  }

  render(width: number): string[] {
    if (this.#drawn?.width !== width) this.#drawn = { width, lines: this.#draw(width) };
    // A copy: callers push their own lines onto what they get.
    return [...this.#drawn.lines];
  }

  #draw(width: number): string[] {
    if (this.#text.trim() === "") return [];
    const padding = { x: this.#paddingX, y: this.#paddingY, paint: this.#paint };
    return padded(width, padding, (inner) => wrapTextWithAnsi(this.#text, inner));
  }
}
