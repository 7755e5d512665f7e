import type { Component } from "../component.ts";
import { truncateToWidth } from "../text/truncate.ts";
import { padded } from "./padding.ts";

/** The first line of a text, shortened where it does not fit. */
export class TruncatedText implements Component {
  readonly #text: string;
  readonly #paddingX: number;
  readonly #paddingY: number;

  constructor(text: string, paddingX = 0, paddingY = 0) {
    this.#text = text;
    this.#paddingX = paddingX;
    this.#paddingY = paddingY;
  }

  invalidate(): void {}

  render(width: number): string[] {
    const [line = ""] = this.#text.split(/\r\n|\r|\n/, 1);
    const padding = { x: this.#paddingX, y: this.#paddingY, paint: undefined };
    return padded(width, padding, (inner) => [truncateToWidth(line, inner)]);
  }
}
