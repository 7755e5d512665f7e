import type { Component } from "../component.ts";
import { getImageDimensions, type ImageDimensions } from "./dimensions.ts";
import { allocateImageId, getCellDimensions, imageFallback, renderImage } from "./encode.ts";

interface ImageOptions {
  readonly maxWidthCells?: number;
  readonly maxHeightCells?: number;
  readonly filename?: string;
  readonly imageId?: number;
}

/** A picture, or a line about it where the terminal shows none. */
export class Image implements Component {
  readonly #data: string;
  readonly #mimeType: string;
  readonly #theme: { fallbackColor: (text: string) => string };
  readonly #options: ImageOptions;
  readonly #size: ImageDimensions | undefined;
  readonly #id: number;
  #cached: { readonly width: number; readonly lines: string[] } | undefined;

  constructor(
    data: string,
    mimeType: string,
    theme: { fallbackColor: (text: string) => string },
    options: ImageOptions = {},
    dimensions?: ImageDimensions,
  ) {
    this.#data = data;
    this.#mimeType = mimeType;
    this.#theme = theme;
    this.#options = options;
    this.#size = dimensions ?? getImageDimensions(data, mimeType) ?? undefined;
    this.#id = options.imageId ?? allocateImageId();
  }

  getImageId = () => this.#id;

  invalidate(): void {
    this.#cached = undefined;
  }

  render(width: number): string[] {
    if (this.#cached?.width !== width) this.#cached = { width, lines: this.#lines(width) };
    return this.#cached.lines;
  }

  #lines(width: number): string[] {
    const { maxWidthCells = 60, filename } = this.#options;
    const size = this.#size;
    const maxWidth = Math.max(1, Math.min(maxWidthCells, width - 2));
    const cell = getCellDimensions();
    // A picture without a limit of its own gets as much height as a square of its width.
    const { maxHeightCells = Math.ceil((maxWidth * cell.widthPx) / cell.heightPx) } = this.#options;
    const shown =
      size &&
      renderImage(this.#data, size, {
        maxWidthCells: maxWidth,
        maxHeightCells,
        imageId: this.#id,
      });
    if (!shown) return [this.#theme.fallbackColor(imageFallback(this.#mimeType, size, filename))];
    // The picture is drawn from its last line upwards, so that the lines it needs are there already.
    const up = shown.rows > 1 ? `\u001b[${shown.rows - 1}A` : "";
    return [...new Array<string>(shown.rows - 1).fill(""), up + shown.sequence];
  }
}
