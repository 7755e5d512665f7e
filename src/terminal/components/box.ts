import type { Component } from "../component.ts";
import type { Paint } from "../text/background.ts";
import { Container } from "./container.ts";
import { padded } from "./padding.ts";

/** A container with padding and a background. Lines of a child that are too wide are cut. */
export class Box extends Container implements Component {
  #paint: Paint | undefined;
  readonly #paddingX: number;
  readonly #paddingY: number;

  constructor(paddingX = 1, paddingY = 1, bgFn?: Paint) {
    super();
    this.#paddingX = paddingX;
    this.#paddingY = paddingY;
    this.#paint = bgFn;
  }

  setBgFn(bgFn?: Paint): void {
    this.#paint = bgFn;
  }

  override render(width: number): string[] {
    const padding = { x: this.#paddingX, y: this.#paddingY, paint: this.#paint };
    return padded(width, padding, (inner) => super.render(inner));
  }
}
