import type { Component } from "../../terminal/index.ts";
import type { Look } from "../look/look.ts";

/** A part of the transcript. It is drawn again only if it, the width or the look changed. */
export abstract class Block implements Component {
  protected readonly look: Look;
  /** Whether an empty line stands above it. */
  hasGap = true;
  #drawn:
    | { readonly width: number; readonly version: number; readonly lines: string[] }
    | undefined;

  constructor(look: Look) {
    this.look = look;
  }

  /** The lines, without the empty one above them. */
  protected abstract draw(width: number): readonly string[];

  render(width: number): string[] {
    const { version } = this.look;
    if (this.#drawn?.width !== width || this.#drawn.version !== version) {
      const lines = this.draw(width);
      this.#drawn = {
        width,
        version,
        lines: lines.length > 0 && this.hasGap ? ["", ...lines] : [...lines],
      };
    }
    return this.#drawn.lines;
  }

  invalidate(): void {
    this.#drawn = undefined;
  }
}
