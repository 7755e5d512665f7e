/** Nothing that can be told by its shape or its randomness is shorter. */
export const SHORTEST_RUN = 20;

/** Characters secrets are made of: those of base64, and those that join parts. */
const IN_RUN = new Uint8Array(256);
const BASE64 = 1;
const JOINING = 3;
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") {
  IN_RUN[char.charCodeAt(0)] = BASE64;
}
for (const char of "_.~:-") IN_RUN[char.charCodeAt(0)] = JOINING;

export interface Run {
  readonly start: number;
  readonly end: number;
  /** Nothing but base64: what is long and like this is data. */
  readonly isBase64: boolean;
}

/**
 * Calls `visit` for every unbroken run of such characters that is long enough. Looks at every
 * twentieth character first: most text is words, so most of it is never looked at.
 */
export function eachRun(text: string, visit: (run: Run) => void): void {
  const { length } = text;
  let start = 0;
  while (start + SHORTEST_RUN <= length) {
    let at = start + SHORTEST_RUN - 1;
    while (at >= start && (IN_RUN[text.charCodeAt(at)] ?? 0) !== 0) at--;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let end = start;
    let kinds = 0;
    for (; end < length; end++) {
      const kind = IN_RUN[text.charCodeAt(end)] ?? 0;
      if (kind === 0) break;
      kinds |= kind;
    }
    visit({ start, end, isBase64: kinds === BASE64 });
    start = end + 1;
  }
}
