import { DrawnText } from "../components/drawn-text.ts";
import { padded } from "../components/padding.ts";
import type { Paint } from "../text/background.ts";
import type { DefaultTextStyle, MarkdownTheme } from "./markdown-theme.ts";
import { parseBlocks } from "./parse-blocks.ts";
import { renderBlocks } from "./render-blocks.ts";

/** A Markdown text, drawn with a theme. */
export class Markdown extends DrawnText {
  readonly #paddingX: number;
  readonly #paddingY: number;
  readonly #theme: MarkdownTheme;
  readonly #style: DefaultTextStyle;

  constructor(
    text: string,
    paddingX: number,
    paddingY: number,
    theme: MarkdownTheme,
    defaultTextStyle: DefaultTextStyle = {},
  ) {
    super(text);
    this.#paddingX = paddingX;
    this.#paddingY = paddingY;
    this.#theme = theme;
    this.#style = defaultTextStyle;
  }

  protected override draw(width: number): string[] {
    const padding = { x: this.#paddingX, y: this.#paddingY, paint: this.#style.bgColor };
    return padded(width, padding, (inner) =>
      renderBlocks(parseBlocks(this.text), inner, this.#theme, this.#base()),
    );
  }

  #base(): Paint {
    const { color, bold, italic, strikethrough, underline } = this.#style;
    const paints: Paint[] = [];
    if (color) paints.push(color);
    if (bold) paints.push(this.#theme.bold);
    if (italic) paints.push(this.#theme.italic);
    if (strikethrough) paints.push(this.#theme.strikethrough);
    if (underline) paints.push(this.#theme.underline);
    return (text) => paints.reduceRight((painted, paint) => paint(painted), text);
  }
}
