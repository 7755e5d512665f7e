import { type Component, stripTerminalSequences } from "../../terminal/index.ts";
import { sameLine } from "./same-line.ts";

/** A place in the transcript: a block, and a line of it. */
interface Place {
  readonly block: number;
  readonly line: number;
}

/**
 * Everything that was said and done, as blocks below each other, and the part of it that is seen.
 * Only blocks that are seen are drawn, so its length costs nothing. While somebody reads further up,
 * the reading position stays, whatever is added below.
 */
export class Transcript {
  readonly #blocks: Component[] = [];
  /** The first line that is seen; undefined: the end is followed. */
  #top: Place | undefined;
  /** Where the end was when somebody began to read further up. */
  #endWas: Place | undefined;
  #width = 80;
  #height = 1;
  /** Blocks that still change. */
  readonly open = new Set<Component>();
  /** Whether lines that leave the screen go into the terminal's scrollback, and are not shown again. */
  readonly #hasScrollback: boolean;
  /** Behind the last line that is in the scrollback. */
  #kept: Place = { block: 0, line: 0 };
  /** The block of that place as it was drawn then. */
  #keptIn: readonly string[] = [];
  /** Blocks may have other lines than before: the width or the look changed. */
  #isRedrawn = false;
  /** Lines of what was shown before, on their way into the scrollback. */
  #leaving: string[] = [];
  /** What is searched for, and the line with it that is looked at. */
  #search: { readonly text: string; readonly found: Place | undefined } | undefined;

  constructor({ scrollback = false }: { readonly scrollback?: boolean } = {}) {
    this.#hasScrollback = scrollback;
  }

  add(block: Component): void {
    this.#blocks.push(block);
  }

  remove(block: Component): void {
    const index = this.#blocks.indexOf(block);
    if (index === -1) return;
    this.#blocks.splice(index, 1);
    this.open.delete(block);
    if (this.#top && this.#top.block > index) this.#top = oneBefore(this.#top);
    if (this.#kept.block > index) this.#kept = oneBefore(this.#kept);
  }

  clear(): void {
    this.#blocks.length = 0;
    this.open.clear();
    this.#kept = { block: 0, line: 0 };
    this.toEnd();
  }

  get blocks(): readonly Component[] {
    return this.#blocks;
  }

  get isFollowing(): boolean {
    return this.#top === undefined;
  }

  invalidate(): void {
    for (const block of this.#blocks) block.invalidate();
    this.#isRedrawn = true;
  }

  /** The last lines from a block on, whatever is seen of them now. */
  tail(from: number, width: number, most: number): string[] {
    this.#drawFor(width);
    return this.#lastLines(most, from);
  }

  /** The lines that have left the screen for the scrollback since this was last asked. */
  scrolledOff(): string[] {
    const lines = this.#leaving.splice(0);
    if (!this.isFollowing) return lines;
    const [top, open] = [this.#firstOfLast(), this.#firstOpen()];
    return [...lines, ...this.#keepUpTo(isBefore(open, top) ? open : top)];
  }

  /**
   * Everything that is not in the scrollback yet, for somebody who puts it there now. What still changes
   * comes when it is whole.
   */
  rest(width: number): string[] {
    this.#drawFor(width);
    return [...this.#leaving.splice(0), ...this.#keepUpTo(this.#firstOpen())];
  }

  /** What is shown makes room for something else: all of it goes into the scrollback. */
  letGo(): void {
    if (!this.#hasScrollback) return;
    this.open.clear();
    this.#leaving = this.rest(this.#width);
  }

  /** How many lines of some blocks are not in the scrollback yet. */
  linesLeft(isCounted: (block: Component) => boolean): number {
    let count = 0;
    for (let at = this.#kept.block; at < this.#blocks.length; at++) {
      const block = this.#blocks[at];
      if (!block || !isCounted(block)) continue;
      count += this.#linesOf(at).length - (at === this.#kept.block ? this.#kept.line : 0);
    }
    return count;
  }

  /** Leaves the beginning of what is shown out of the scrollback, but for some lines. */
  keepLast(lines: number): void {
    if (!this.#hasScrollback) return;
    const from = this.#up(this.#end(), lines);
    if (isBefore(this.#kept, from)) this.#setKept(from);
  }

  /** The lines that are seen: as many as there is room for, or fewer. */
  window(width: number, height: number): string[] {
    this.#drawFor(width);
    this.#height = Math.max(1, height);
    if (this.#top) {
      const lines = this.#linesFrom(this.#top);
      if (lines.length === this.#height) return this.#marked(lines);
      // Behind the last line there is nothing to read.
      this.toEnd();
    }
    const { block, line } = this.#hasScrollback ? this.#kept : { block: 0, line: 0 };
    return this.#marked(this.#lastLines(this.#height, block, line));
  }

  /**
   * Goes to the next line that has a text in it, up or down, from the one that was found before.
   * False: there is none. Only what has to be looked at is drawn.
   */
  search(text: string, direction: -1 | 1): boolean {
    const wanted = text.toLowerCase();
    const isSame = this.#search?.text === wanted;
    const from = (isSame ? this.#search?.found : undefined) ?? this.#end();
    const found = wanted === "" ? undefined : this.#findFrom(from, wanted, direction);
    this.#search = { text: wanted, found: found ?? (isSame ? this.#search?.found : undefined) };
    if (!found) return false;
    this.#keepEnd();
    this.#top = this.#up(found, Math.floor(this.#height / 3));
    return true;
  }

  endSearch(): void {
    this.#search = undefined;
  }

  /** How many lines came below since somebody reads further up. */
  newLines(): number {
    const was = this.#endWas;
    if (!this.#top || !was) return 0;
    let count = this.#linesOf(was.block).length - was.line;
    for (let block = was.block + 1; block < this.#blocks.length; block++) {
      count += this.#linesOf(block).length;
    }
    return Math.max(0, count);
  }

  /** Moves what is seen: up with a negative number of lines. */
  scrollBy(lines: number): void {
    const top = this.#top ?? this.#firstOfLast();
    this.#keepEnd();
    this.#top = lines < 0 ? this.#up(top, -lines) : this.#down(top, lines);
  }

  page(direction: -1 | 1): void {
    this.scrollBy(direction * Math.max(1, this.#height - 2));
  }

  toStart(): void {
    this.#keepEnd();
    this.#top = { block: 0, line: 0 };
  }

  toEnd(): void {
    this.#top = undefined;
    this.#endWas = undefined;
  }

  /** Goes to the next block of a kind, up or down: from prompt to prompt. */
  jump(direction: -1 | 1, isTarget: (block: Component) => boolean): void {
    const { block: from, line } = this.#top ?? this.#firstOfLast();
    for (
      let at = direction < 0 && line > 1 ? from : from + direction;
      at >= 0 && at < this.#blocks.length;
      at += direction
    ) {
      const block = this.#blocks[at];
      if (!block || !isTarget(block)) continue;
      this.#keepEnd();
      this.#top = { block: at, line: 0 };
      return;
    }
    if (direction > 0) this.toEnd();
  }

  #end(): Place {
    return { block: this.#blocks.length, line: 0 };
  }

  #findFrom({ block, line }: Place, wanted: string, direction: -1 | 1): Place | undefined {
    for (let at = block; at >= 0 && at <= this.#blocks.length; at += direction) {
      const lines = this.#linesOf(at);
      const start = at === block ? line + direction : direction < 0 ? lines.length - 1 : 0;
      for (let row = start; row >= 0 && row < lines.length; row += direction) {
        if (textIn(lines[row] ?? "").includes(wanted)) return { block: at, line: row };
      }
    }
    return undefined;
  }

  /** What is searched for stands out in the lines that have it. */
  #marked(lines: string[]): string[] {
    const wanted = this.#search?.text ?? "";
    if (wanted === "") return lines;
    return lines.map((line) => (textIn(line).includes(wanted) ? markedIn(line, wanted) : line));
  }

  #keepEnd(): void {
    if (this.#top) return;
    const block = Math.max(0, this.#blocks.length - 1);
    this.#endWas = { block, line: this.#linesOf(block).length };
  }

  #linesOf(block: number): readonly string[] {
    return this.#blocks[block]?.render(this.#width) ?? [];
  }

  #lastLines(most: number, from = 0, line = 0): string[] {
    const parts: (readonly string[])[] = [];
    let count = 0;
    for (let at = this.#blocks.length - 1; at >= from && count < most; at--) {
      const lines = this.#linesOf(at).slice(at === from ? line : 0);
      parts.unshift(lines);
      count += lines.length;
    }
    return parts.flat().slice(-most);
  }

  /** A block that still changes would be kept as it is now: it waits, with all behind it. */
  #firstOpen(): Place {
    const first = this.#blocks.findIndex((block) => this.open.has(block));
    return first === -1 ? this.#end() : { block: first, line: 0 };
  }

  /** Notes that everything before a place is in the scrollback, and gives the lines that were not. */
  #keepUpTo(end: Place): string[] {
    const from = this.#kept;
    if (!isBefore(from, end)) return [];
    this.#setKept(end);
    const lines: string[] = [];
    for (let at = from.block; at <= end.block; at++) {
      const until = at === end.block ? end.line : undefined;
      lines.push(...this.#linesOf(at).slice(at === from.block ? from.line : 0, until));
    }
    return lines;
  }

  #setKept(place: Place): void {
    this.#kept = place;
    this.#keptIn = place.line > 0 ? this.#linesOf(place.block) : [];
  }

  /** A block of which a part is in the scrollback goes on behind that part, however it is drawn now. */
  #drawFor(width: number): void {
    if (this.#width === width && !this.#isRedrawn) return;
    this.#width = width;
    this.#isRedrawn = false;
    const { block, line } = this.#kept;
    if (line > 0)
      this.#setKept({ block, line: sameLine(this.#keptIn, line, this.#linesOf(block)) });
  }

  #linesFrom({ block, line }: Place): string[] {
    const lines: string[] = [];
    for (let at = block; at < this.#blocks.length && lines.length < this.#height; at++) {
      const all = this.#linesOf(at);
      // A block that became shorter is read from its last line.
      const from = at === block ? Math.min(line, all.length) : 0;
      for (const one of all.slice(from, from + this.#height - lines.length)) lines.push(one);
    }
    return lines;
  }

  #firstOfLast(): Place {
    return this.#up(this.#end(), this.#height);
  }

  #up({ block, line }: Place, lines: number): Place {
    let left = lines;
    let at = block;
    let from = line;
    while (left > from) {
      left -= from;
      at--;
      if (at < 0) return { block: 0, line: 0 };
      from = this.#linesOf(at).length;
    }
    return { block: at, line: from - left };
  }

  #down({ block, line }: Place, lines: number): Place {
    let left = lines + line;
    for (let at = block; at < this.#blocks.length; at++) {
      const { length } = this.#linesOf(at);
      if (left < length) return { block: at, line: left };
      left -= length;
    }
    return { block: this.#blocks.length, line: 0 };
  }
}

function isBefore(a: Place, b: Place): boolean {
  return a.block < b.block || (a.block === b.block && a.line < b.line);
}

function oneBefore({ block, line }: Place): Place {
  return { block: block - 1, line };
}

function textIn(line: string): string {
  return stripTerminalSequences(line).toLowerCase();
}

/** The line without its colours, and each place with the text in reverse. */
function markedIn(line: string, wanted: string): string {
  const plain = stripTerminalSequences(line);
  const low = plain.toLowerCase();
  // Some letters are longer in lower case: then nobody knows the place.
  if (low.length !== plain.length) return line;
  let text = "";
  let at = 0;
  for (let next = low.indexOf(wanted); next !== -1; next = low.indexOf(wanted, at)) {
    const end = next + wanted.length;
    text += `${plain.slice(at, next)}\u001b[7m${plain.slice(next, end)}\u001b[27m`;
    at = end;
  }
  return text + plain.slice(at);
}
