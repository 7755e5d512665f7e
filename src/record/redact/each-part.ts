/** A part of a long string. */
export interface Part {
  readonly start: number;
  readonly end: number;
  /** The string is not cut at all. */
  readonly isWhole: boolean;
  /**
   * Whether something at the edge of this part goes on in the next or began in the one before.
   * It stands whole in there, unless it is longer than what two parts share.
   */
  readonly isCut: (atStart: boolean, atEnd: boolean, length: number) => boolean;
}

const LENGTH = 256 * 1024;
/** The longest secret there is, a private key, fits in. */
const SHARED = 48 * 1024;

/** Long strings are searched in parts that overlap, never in the middle of an escape. */
export function eachPart(
  bytes: Buffer,
  start: number,
  end: number,
  visit: (part: Part) => void,
): void {
  if (end - start <= LENGTH) {
    visit({ start, end, isWhole: true, isCut: () => false });
    return;
  }
  let from = start;
  for (;;) {
    const to = from + LENGTH >= end ? end : beforeEscape(bytes, from + LENGTH, from);
    const isFirst = from === start;
    const isLast = to === end;
    const isCut = (atStart: boolean, atEnd: boolean, length: number) =>
      length < SHARED / 2 && ((atStart && !isFirst) || (atEnd && !isLast));
    visit({ start: from, end: to, isWhole: false, isCut });
    if (isLast) return;
    from = beforeEscape(bytes, to - SHARED, from);
  }
}

const BACKSLASH = 92;
const LETTER_U = 117;

/** This place, or where the escape starts that it is in. */
function beforeEscape(bytes: Buffer, at: number, lowest: number): number {
  for (let back = 1; back <= 5 && at - back - 1 >= lowest; back++) {
    const isEscape =
      bytes[at - back] === LETTER_U && backslashes(bytes, at - back, lowest) % 2 === 1;
    if (isEscape) return at - back - 1;
  }
  return backslashes(bytes, at, lowest) % 2 === 1 ? at - 1 : at;
}

function backslashes(bytes: Buffer, before: number, lowest: number): number {
  let count = 0;
  while (before - count - 1 >= lowest && bytes[before - count - 1] === BACKSLASH) count++;
  return count;
}
