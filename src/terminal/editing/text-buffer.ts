/** A place in a text: a line, and a number of UTF-16 units into it. */
export interface Position {
  readonly line: number;
  readonly col: number;
}

export interface BufferState {
  readonly lines: readonly string[];
  readonly cursor: Position;
}

/** Lines of text with a cursor. Every change goes through `replace`. */
export class TextBuffer {
  #lines: readonly string[] = [""];
  #cursor: Position = { line: 0, col: 0 };
  #revision = 0;

  get lines(): readonly string[] {
    return this.#lines;
  }

  get cursor(): Position {
    return this.#cursor;
  }

  /** Counts the changes of the text, so that a caller can tell whether there was one. */
  get revision(): number {
    return this.#revision;
  }

  get text(): string {
    return this.#lines.join("\n");
  }

  lineAt(line: number): string {
    return this.#lines[line] ?? "";
  }

  /** Where the text ends. */
  get end(): Position {
    const line = this.#lines.length - 1;
    return { line, col: this.lineAt(line).length };
  }

  moveTo({ line, col }: Position): void {
    const row = Math.max(0, Math.min(line, this.#lines.length - 1));
    this.#cursor = { line: row, col: Math.max(0, Math.min(col, this.lineAt(row).length)) };
  }

  /** Puts `text` in the place of what is between two positions; the cursor ends up behind it. */
  replace(from: Position, to: Position, text: string): void {
    const before = this.lineAt(from.line).slice(0, from.col);
    const after = this.lineAt(to.line).slice(to.col);
    const inserted = (before + text).split("\n");
    const lastLine = inserted.at(-1) ?? "";
    const cursor = { line: from.line + inserted.length - 1, col: lastLine.length };
    this.restore({
      // An array literal takes any number of lines; arguments of a call would overflow the stack.
      lines: [
        ...this.#lines.slice(0, from.line),
        ...inserted.slice(0, -1),
        lastLine + after,
        ...this.#lines.slice(to.line + 1),
      ],
      cursor,
    });
  }

  textBetween(from: Position, to: Position): string {
    if (from.line === to.line) return this.lineAt(from.line).slice(from.col, to.col);
    return [
      this.lineAt(from.line).slice(from.col),
      ...this.#lines.slice(from.line + 1, to.line),
      this.lineAt(to.line).slice(0, to.col),
    ].join("\n");
  }

  snapshot(): BufferState {
    return { lines: this.#lines, cursor: this.#cursor };
  }

  restore({ lines, cursor }: BufferState): void {
    this.#lines = lines.length === 0 ? [""] : lines;
    this.#revision++;
    this.moveTo(cursor);
  }
}
