import { type Component, type Focusable, isFocusable, type Theme } from "../../terminal/index.ts";

/** Something that takes the place of the editor until it is answered or closed. */
export interface OpenDialog {
  readonly component: Component;
  /** Closes it without an answer. */
  dismiss(): void;
}

/** What dialogs need of the screen. */
export interface DialogPlace {
  readonly theme: Theme;
  requestRender(): void;
  /** Is called whenever another dialog comes to the front, or none is left. */
  onChange(): void;
}

/** Dialogs one after the other: the first one is answered first, however many there are. */
export class DialogQueue {
  readonly #place: DialogPlace;
  #open: OpenDialog[] = [];

  constructor(place: DialogPlace) {
    this.#place = place;
  }

  get current(): Component | undefined {
    return this.#open[0]?.component;
  }

  get count(): number {
    return this.#open.length;
  }

  /** Shows a dialog until `done` is called, its time is up or its signal fires. */
  ask<T>(
    make: (done: (value: T | undefined) => void) => Component,
    { signal, timeout }: { signal?: AbortSignal; timeout?: number } = {},
  ): Promise<T | undefined> {
    return new Promise((resolve) => {
      if (signal?.aborted) {
        resolve(undefined);
        return;
      }
      const close = (value: T | undefined) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", dismiss);
        this.#open = this.#open.filter((one) => one !== dialog);
        this.#place.onChange();
        resolve(value);
      };
      const dismiss = () => close(undefined);
      const timer = timeout === undefined ? undefined : setTimeout(dismiss, timeout);
      signal?.addEventListener("abort", dismiss, { once: true });
      const dialog: OpenDialog = { component: make(close), dismiss };
      this.#open.push(dialog);
      this.#place.onChange();
    });
  }

  /** Nobody needs the answers any more. */
  dismissAll(): void {
    for (const dialog of [...this.#open]) dialog.dismiss();
  }
}

/** A component with a title line above and a line of keys below. */
export class Framed implements Component, Focusable {
  readonly #inner: Component;
  readonly #above: (width: number) => string[];
  readonly #below: (width: number) => string[];

  constructor(
    inner: Component,
    above: (width: number) => string[],
    below: (width: number) => string[] = () => [],
  ) {
    this.#inner = inner;
    this.#above = above;
    this.#below = below;
  }

  get focused(): boolean {
    return isFocusable(this.#inner) && this.#inner.focused;
  }

  set focused(focused: boolean) {
    if (isFocusable(this.#inner)) this.#inner.focused = focused;
  }

  render(width: number): string[] {
    return [...this.#above(width), ...this.#inner.render(width), ...this.#below(width)];
  }

  handleInput(data: string): void {
    this.#inner.handleInput?.(data);
  }

  invalidate(): void {
    this.#inner.invalidate();
  }
}
