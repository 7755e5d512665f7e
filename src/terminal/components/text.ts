import type { Paint } from "../text/background.ts";
import { wrapTextWithAnsi } from "../text/wrap.ts";
import { DrawnText } from "./drawn-text.ts";
import { padded } from "./padding.ts";

/** Text of any length, broken into lines between words. */
export class Text extends DrawnText {
  #paint: Paint | undefined;
  readonly #paddingX: number;
  readonly #paddingY: number;

  constructor(text = "", paddingX = 1, paddingY = 1, customBgFn?: Paint) {
    super(text);
    this.#paddingX = paddingX;
    this.#paddingY = paddingY;
    this.#paint = customBgFn;
  }

  setCustomBgFn(customBgFn?: Paint): void {
    this.#paint = customBgFn;
    this.invalidate();
  }

  protected override draw(width: number): string[] {
    if (this.text.trim() === "") return [];
    const padding = { x: this.#paddingX, y: this.#paddingY, paint: this.#paint };
    return padded(width, padding, (inner) => wrapTextWithAnsi(this.text, inner));
  }
}
