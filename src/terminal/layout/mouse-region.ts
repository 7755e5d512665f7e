import type { Component } from "../component.ts";

/** What a mouse did, in columns and lines of the component. */
export interface MouseEvent {
  readonly type: string;
  readonly x: number;
  readonly y: number;
}

type Handler = (event: MouseEvent) => unknown;

/** A component that hears of the mouse above it. What it does not take, its child may. */
export class MouseRegion implements Component {
  readonly #child: Component & { handleMouse?: Handler };
  readonly #onMouse: Handler;

  constructor(child: Component & { handleMouse?: Handler }, onMouse: Handler) {
    this.#child = child;
    this.#onMouse = onMouse;
  }

  render = (width: number) => this.#child.render(width);
  handleMouse = (event: MouseEvent) => this.#onMouse(event) ?? this.#child.handleMouse?.(event);
  handleInput(data: string): void {
    this.#child.handleInput?.(data);
  }
  invalidate(): void {
    this.#child.invalidate?.();
  }
}
