const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENS: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSES: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const KEY = Buffer.from('"messages"');

/** Where the messages of a JSON document stand, in bytes. */
export interface MessageSpans {
  /** After the bracket that opens the list. */
  readonly start: number;
  /** The commas between messages. */
  readonly commas: readonly number[];
  /** The bracket that closes the list. */
  readonly end: number;
}

/**
 * Finds the list under the document's own key "messages" without parsing anything: a document may be
 * longer than a string can be. Undefined if there is none.
 */
export function messageSpans(content: Buffer): MessageSpans | undefined {
  let depth = 0;
  let start: number | undefined;
  let isNext = false;
  const commas: number[] = [];
  for (let at = 0; at < content.length; at++) {
    const byte = content[at] ?? 0;
    if (byte === QUOTE) {
      const end = stringEnd(content, at);
      if (end === -1) return undefined;
      isNext = depth === 1 && isKey(content, at, end);
      at = end;
    } else if (OPENS.has(byte)) {
      depth++;
      if (isNext && depth === 2 && byte === 0x5b && start === undefined) start = at + 1;
      isNext = false;
    } else if (CLOSES.has(byte)) {
      depth--;
      if (start !== undefined && depth === 1) return { start, commas, end: at };
    } else if (byte === COMMA && start !== undefined && depth === 2) commas.push(at);
  }
  return undefined;
}

/** The quote that closes a string. Most of a transcript is strings: they are jumped over. */
function stringEnd(content: Buffer, from: number): number {
  for (let at = content.indexOf(QUOTE, from + 1); at !== -1; at = content.indexOf(QUOTE, at + 1)) {
    let before = at - 1;
    while (content[before] === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return -1;
}

/** Whether a string is the key of the list: a colon follows it. */
function isKey(content: Buffer, start: number, end: number): boolean {
  if (!content.subarray(start, end + 1).equals(KEY)) return false;
  let at = end + 1;
  while ((content[at] ?? 0) <= 0x20 && at < content.length) at++;
  return content[at] === 0x3a;
}
