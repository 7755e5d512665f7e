import { type Cell, cellsOf } from "./cells.ts";
import { StyleState } from "./style-state.ts";

/**
 * Breaks text into lines of at most `width` columns: between words where possible, inside a word
 * that is longer than a line. A style that is on at a break ends there and starts again on the
 * next line.
 *
 * @example wrapTextWithAnsi("one two", 4) // ["one", "two"]
 */
export function wrapTextWithAnsi(text: string, width: number): string[] {
  if (!(width > 0)) return [""];
  const wrapper = new Wrapper(width);
  for (const line of text.split(/\r\n|\r|\n/)) {
    for (const run of runsOf(cellsOf(line))) wrapper.add(run);
    wrapper.endParagraph();
  }
  return wrapper.lines;
}

interface Run {
  readonly blank: boolean;
  readonly cells: Cell[];
  width: number;
}

/** Groups cells into words and the spaces between them; an escape joins the run it stands in. */
function runsOf(cells: readonly Cell[]): Run[] {
  const runs: Run[] = [];
  let current: Run | undefined;
  for (const cell of cells) {
    const blank = cell.escape ? (current?.blank ?? false) : cell.text === " ";
    if (!current || current.blank !== blank) {
      current = { blank, cells: [], width: 0 };
      runs.push(current);
    }
    current.cells.push(cell);
    current.width += cell.width;
  }
  return runs;
}

class Wrapper {
  readonly lines: string[] = [];
  readonly #width: number;
  readonly #styles = new StyleState();
  #line = "";
  #used = 0;
  /** Spaces wait here: they are written only if a word follows them on the same line. */
  #gap: Run | undefined;

  constructor(width: number) {
    this.#width = width;
  }

  add(run: Run): void {
    if (run.blank) {
      this.#gap = run;
      return;
    }
    const gap = this.#gap?.width ?? 0;
    if (this.#used + gap + run.width > this.#width) {
      // Rather no indentation than a word cut in two.
      if (this.#used > 0 || run.width <= this.#width) this.#dropGap();
      if (this.#used > 0) this.#breakLine();
    }
    this.#flushGap();
    for (const cell of run.cells) this.#write(cell);
  }

  endParagraph(): void {
    this.#flushGap();
    this.#breakLine();
  }

  #write(cell: Cell): void {
    // A wide character can never fit into a single column; leaving it out is all that is possible.
    if (cell.width > this.#width) return;
    if (this.#used + cell.width > this.#width) this.#breakLine();
    if (cell.escape) this.#styles.apply(cell.text);
    this.#line += cell.text;
    this.#used += cell.width;
  }

  #flushGap(): void {
    const room = this.#width - this.#used;
    let written = 0;
    for (const cell of this.#gap?.cells ?? []) {
      if (cell.width + written > room) continue;
      written += cell.width;
      this.#write(cell);
    }
    this.#gap = undefined;
  }

  #dropGap(): void {
    for (const cell of this.#gap?.cells ?? []) if (cell.escape) this.#write(cell);
    this.#gap = undefined;
  }

  #breakLine(): void {
    this.lines.push(this.#line + this.#styles.close());
    this.#line = this.#styles.open();
    this.#used = 0;
  }
}
