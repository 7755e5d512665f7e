/** A text made from another one, and the way back. Both have one character per byte. */
export interface Rewritten {
  readonly text: string;
  /** Where in the source the part that starts here starts. */
  readonly startInSource: (at: number) => number;
  /** Where in the source the part that ends before here ends. */
  readonly endInSource: (at: number) => number;
}

/** A part of the source that reads differently in the text made from it. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** The source with these changes, which are in order and apart from each other. */
export function rewritten(source: string, changes: Iterable<Change>): Rewritten {
  // For every change: where its text starts and ends, and where it starts and ends in the source.
  const marks: number[] = [];
  const parts: string[] = [];
  let length = 0;
  let from = 0;
  for (const { start, end, value } of changes) {
    parts.push(source.slice(from, start), value);
    length += start - from;
    marks.push(length, length + value.length, start, end);
    length += value.length;
    from = end;
  }
  if (marks.length === 0) return { text: source, startInSource: same, endInSource: same };
  parts.push(source.slice(from));
  return {
    text: parts.join(""),
    startInSource: (at) => inSource(marks, at, 2),
    endInSource: (at) => (at === 0 ? 0 : inSource(marks, at - 1, 3)),
  };
}

function same(at: number): number {
  return at;
}

/** `edge` 2: the start of the character at this place. 3: its end. */
function inSource(marks: readonly number[], at: number, edge: 2 | 3): number {
  let low = 0;
  let high = marks.length / 4;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle * 4] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const isLast = edge === 3 ? 1 : 0;
  if (low === 0) return at + isLast;
  const mark = (low - 1) * 4;
  const textEnd = marks[mark + 1] ?? 0;
  if (at < textEnd) return marks[mark + edge] ?? 0;
  return (marks[mark + 3] ?? 0) + (at - textEnd) + isLast;
}
