import { messageOf } from "../../errors/index.ts";
import {
  type Component,
  type Focusable,
  isFocusable,
  isKeyRelease,
  safeText,
  type Theme,
  truncateToWidth,
} from "../../terminal/index.ts";

export interface GuardOptions {
  /** Whose component it is, for people. */
  readonly what: string;
  readonly theme: Theme;
  /** How many lines there is room for. */
  readonly maxLines: () => number;
  /** Is called with the first failure. */
  readonly onError?: (text: string) => void;
}

/** A component that takes longer than this is not drawn with every frame. */
const SLOW_MS = 12;
/** It then gets at most this share of the time. */
const SHARE = 10;

/**
 * A component that somebody else wrote: what it draws is cut at the width and at the height there is
 * room for, it is drawn less often if it is slow, and an error is shown in its place. The agent goes
 * on in any case.
 */
export class Guarded implements Component, Focusable {
  readonly inner: Component & { dispose?(): void };
  readonly #options: GuardOptions;
  #failure: string | undefined;
  #lines: readonly string[] = [];
  #width = 0;
  #notBefore = 0;

  constructor(inner: Component & { dispose?(): void }, options: GuardOptions) {
    this.inner = inner;
    this.#options = options;
  }

  get focused(): boolean {
    return isFocusable(this.inner) && this.inner.focused;
  }

  set focused(focused: boolean) {
    if (isFocusable(this.inner)) this.inner.focused = focused;
  }

  get wantsKeyRelease(): boolean {
    return this.inner.wantsKeyRelease === true;
  }

  render(width: number): string[] {
    const now = performance.now();
    if (width !== this.#width || now >= this.#notBefore) {
      this.#lines = this.#draw(width);
      this.#width = width;
      const took = performance.now() - now;
      this.#notBefore = took > SLOW_MS ? now + took * SHARE : 0;
    }
    return [...this.#lines];
  }

  handleInput(data: string): void {
    if (isKeyRelease(data) && !this.wantsKeyRelease) return;
    this.#notBefore = 0;
    this.#try("took a key", () => this.inner.handleInput?.(data));
  }

  invalidate(): void {
    this.#notBefore = 0;
    // Extensions in plain JavaScript often leave this method out.
    this.#try("was drawn anew", () => this.inner.invalidate?.());
  }

  dispose(): void {
    this.#try("was taken away", () => this.inner.dispose?.());
  }

  #draw(width: number): readonly string[] {
    const { maxLines, theme } = this.#options;
    const drawn = this.#try("was drawn", () => this.inner.render(width));
    if (this.#failure !== undefined) {
      return [theme.fg("error", truncateToWidth(`✗ ${this.#failure}`, width, "…"))];
    }
    if (!Array.isArray(drawn)) return [];
    const lines = drawn.flatMap((line) => String(line).split("\n"));
    const room = Math.max(1, maxLines());
    if (lines.length <= room) return lines;
    const left = lines.length - room + 1;
    const note = truncateToWidth(`… ${left} more lines have no room here`, width, "…");
    return [...lines.slice(0, room - 1), theme.fg("dim", note)];
  }

  #try<T>(when: string, act: () => T): T | undefined {
    if (this.#failure !== undefined) return undefined;
    try {
      return act();
    } catch (thrown) {
      const { what, onError } = this.#options;
      const detail = safeText(messageOf(thrown)).split("\n")[0] ?? "";
      this.#failure = `${what} failed when it ${when}: ${detail}`;
      onError?.(this.#failure);
      return undefined;
    }
  }
}
