import {
  type Component,
  type DefaultTextStyle,
  Markdown,
  type MarkdownTheme,
} from "../../terminal/index.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** What may belong to the block before the empty line: a list goes on after one. */
const GOES_ON = /^(?:\s|[-*+] |\d+[.)] |>)/;

/**
 * Markdown that grows at its end: blocks that are complete are drawn once, only the last one is
 * drawn again when something is added.
 */
export class StreamingMarkdown implements Component {
  readonly #theme: MarkdownTheme;
  readonly #padding: number;
  readonly #style: DefaultTextStyle;
  #done: Markdown[] = [];
  #doneLines: { readonly width: number; readonly count: number; readonly lines: string[] } = {
    width: 0,
    count: 0,
    lines: [],
  };
  #text = "";
  /** How much of the text is in `#done`. */
  #settled = 0;
  #last: Markdown;

  constructor(theme: MarkdownTheme, padding = 0, style: DefaultTextStyle = {}) {
    this.#theme = theme;
    this.#padding = padding;
    this.#style = style;
    this.#last = this.#block("");
  }

  /** The whole text. What is only longer than before is not drawn anew from its beginning. */
  setText(text: string): void {
    if (text === this.#text) return;
    if (!text.startsWith(this.#text)) this.#startOver();
    this.#text = text;
    this.#settle();
    this.#last = this.#block(text.slice(this.#settled));
  }

  invalidate(): void {
    for (const block of this.#done) block.invalidate();
    this.#last.invalidate();
    this.#doneLines = { width: 0, count: 0, lines: [] };
  }

  render(width: number): string[] {
    const last = this.#last.render(width);
    if (this.#done.length === 0) return last;
    const done = this.#linesOfDone(width);
    return last.length === 0 ? [...done] : [...done, "", ...last];
  }

  #linesOfDone(width: number): readonly string[] {
    const known = this.#doneLines;
    if (known.width === width && known.count === this.#done.length) return known.lines;
    const lines = known.width === width ? known.lines : [];
    for (const block of this.#done.slice(known.width === width ? known.count : 0)) {
      if (lines.length > 0) lines.push("");
      for (const line of block.render(width)) lines.push(line);
    }
    this.#doneLines = { width, count: this.#done.length, lines };
    return lines;
  }

  /** Moves everything before the last empty line that ends a block to what is complete. */
  #settle(): void {
    const from = this.#settled;
    const lines = this.#text.slice(from).split("\n");
    let fence: string | undefined;
    let at = from;
    let start = from;
    let isAfterEmpty = false;
    for (const [index, line] of lines.entries()) {
      const opened = FENCE.exec(line)?.[1];
      const isComplete = index < lines.length - 1;
      if (fence === undefined && isAfterEmpty && isComplete && line !== "" && !GOES_ON.test(line)) {
        const text = this.#text.slice(start, at).trimEnd();
        if (text !== "") this.#done.push(this.#block(text));
        start = at;
      }
      if (opened && fence === undefined) fence = opened;
      else if (opened && fence !== undefined && isEndOf(fence, opened, line)) fence = undefined;
      isAfterEmpty = fence === undefined && (line.trim() === "" ? at > start : false);
      at += line.length + 1;
    }
    this.#settled = start;
  }

  #startOver(): void {
    this.#done = [];
    this.#doneLines = { width: 0, count: 0, lines: [] };
    this.#settled = 0;
  }

  #block(text: string): Markdown {
    return new Markdown(text, this.#padding, 0, this.#theme, this.#style);
  }
}

function isEndOf(fence: string, found: string, line: string): boolean {
  return found.startsWith(fence) && line.trim() === found;
}
