import { cleanText } from "./clean-text.ts";
import { KillRing } from "./kill-ring.ts";
import type { Motion } from "./motions.ts";
import type { Segmenter } from "./segments.ts";
import { type BufferState, type Position, TextBuffer } from "./text-buffer.ts";

const MAX_UNDO = 500;

/** A text being edited, with undo and the text cut out of it. */
export class EditSession {
  readonly buffer = new TextBuffer();
  readonly #segment: Segmenter;
  readonly #undo: BufferState[] = [];
  readonly #kills = new KillRing();
  /** What came before decides: typing goes on with the same step of undo, cuts are joined. */
  #last: "type" | "kill" | "yank" | undefined;
  #yankedFrom: Position = { line: 0, col: 0 };

  constructor(segment: Segmenter) {
    this.#segment = segment;
  }

  /** Typed text: a word at a time is one step of undo. */
  type(text: string): void {
    if (this.#last !== "type" || /^\s/.test(text)) this.#remember();
    this.#insert(text);
    this.#last = "type";
  }

  /** Text that came at once and is undone at once. */
  insert(text: string): void {
    this.#remember();
    this.#insert(text);
    this.#last = undefined;
  }

  /** Replaces everything, as one step of undo. */
  rewrite(next: BufferState): void {
    this.#remember();
    this.buffer.restore(next);
    this.#last = undefined;
  }

  setText(text: string): void {
    const clean = cleanText(text);
    if (clean !== this.buffer.text) this.#remember();
    this.buffer.restore({ lines: clean.split("\n"), cursor: { line: 0, col: 0 } });
    this.buffer.moveTo(this.buffer.end);
    this.#last = undefined;
  }

  /** Starts over with an empty text; there is nothing left to undo. */
  clear(): void {
    this.setText("");
    this.#undo.length = 0;
  }

  move(motion: Motion): void {
    this.moveTo(motion(this.buffer, this.#segment));
  }

  moveTo(position: Position): void {
    this.buffer.moveTo(position);
    this.#last = undefined;
  }

  delete(motion: Motion): void {
    this.#cut(motion);
    this.#last = undefined;
  }

  /** Deletes and remembers the text for `yank`. */
  kill(motion: Motion, side: "before" | "after"): void {
    const joinLast = this.#last === "kill";
    this.#kills.add(this.#cut(motion), side, joinLast);
    this.#last = "kill";
  }

  yank(): void {
    const text = this.#kills.latest;
    if (text === undefined) return;
    this.#remember();
    this.#yankedFrom = this.buffer.cursor;
    this.#insert(text);
    this.#last = "yank";
  }

  /** Right after a yank: puts the text that was cut out before in its place. */
  yankPop(): void {
    if (this.#last !== "yank" || !this.#kills.rotate()) return;
    this.#remember();
    this.buffer.replace(this.#yankedFrom, this.buffer.cursor, this.#kills.latest ?? "");
  }

  undo(): void {
    const previous = this.#undo.pop();
    if (previous) this.buffer.restore(previous);
    this.#last = undefined;
  }

  #insert(text: string): void {
    this.buffer.replace(this.buffer.cursor, this.buffer.cursor, cleanText(text));
  }

  #cut(motion: Motion): string {
    const here = this.buffer.cursor;
    const there = motion(this.buffer, this.#segment);
    const backwards = there.line < here.line || (there.line === here.line && there.col < here.col);
    const [from, to] = backwards ? [there, here] : [here, there];
    const text = this.buffer.textBetween(from, to);
    if (text !== "") {
      this.#remember();
      this.buffer.replace(from, to, "");
    }
    return text;
  }

  #remember(): void {
    this.#undo.push(this.buffer.snapshot());
    if (this.#undo.length > MAX_UNDO) this.#undo.shift();
  }
}
