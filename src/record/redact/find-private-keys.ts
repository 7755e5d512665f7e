import { overlapping, type Span } from "./span.ts";

const KIND = "private-key";
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----/;
const ENDS = new RegExp(END, "g");
/** An RSA key of 16,384 bits takes 12,500 characters; line numbers and quotes come on top. */
const LONGEST_KEY = 32_768;
const LONGEST_LINE = 256;
/** A mention in prose or code has no such run behind it. */
const KEY_TEXT = /[A-Za-z0-9+/=]{40}/;
/** One line of a key, with what tools put before it: numbers, diff marks, quotes. */
const KEY_LINE =
  /(?:[\s"'+>|#*:,-]|\\[nrt])*(?:\d{1,6}[^A-Za-z0-9+/=\\\n]{1,4})?(?:[A-Za-z0-9-]{1,20}: [^\n\\]{1,80}|[A-Za-z0-9+/=]{16,})(?:\s|\\[nr]|["'`,;+\\]|$)*/y;
const WHOLE_LINE =
  /^[^A-Za-z0-9+/=]{0,8}(?:\d{1,6}[^A-Za-z0-9+/=]{1,4})?[A-Za-z0-9+/=]{16,}(?:\s|\\[nr])*$/;

/** Private keys in one piece of text: whole ones, and ones whose end is cut off. */
export function findPrivateKeys(text: string): Span[] {
  if (!text.includes("PRIVATE KEY")) return [];
  const spans: Span[] = [];
  const begins = [...text.matchAll(BEGIN)];
  for (const [number, { index, 0: match }] of begins.entries()) {
    const body = index + match.length;
    const next = begins[number + 1]?.index ?? text.length;
    const rest = text.slice(body, Math.min(next, body + LONGEST_KEY));
    const footer = END.exec(rest);
    const end = footer ? body + footer.index + footer[0].length : endOfLines(text, body);
    if (end > body && KEY_TEXT.test(text.slice(body, end)))
      spans.push({ start: index, end, kind: KIND });
  }
  return [...spans, ...tails(text, spans)];
}

function endOfLines(text: string, body: number): number {
  KEY_LINE.lastIndex = body;
  let end = body;
  while (KEY_LINE.test(text)) end = KEY_LINE.lastIndex;
  return end;
}

/** `tail` shows the end of a key without its beginning. */
function tails(text: string, found: readonly Span[]): Span[] {
  const isInKey = overlapping(found);
  return [...text.matchAll(ENDS)].flatMap(({ index }) => {
    if (isInKey({ start: index, end: index + 1 })) return [];
    const start = startOfLines(text, index);
    return KEY_TEXT.test(text.slice(start, index)) ? [{ start, end: index, kind: KIND }] : [];
  });
}

function startOfLines(text: string, end: number): number {
  let start = end;
  for (const lowest = Math.max(0, end - LONGEST_KEY); start > lowest; ) {
    const from = Math.max(0, start - LONGEST_LINE);
    const line = text.slice(from, start);
    const breakAt = Math.max(
      line.lastIndexOf("\n", line.length - 2),
      line.lastIndexOf("\\n", line.length - 3),
    );
    const lineStart = breakAt < 0 ? 0 : breakAt + (line[breakAt] === "\n" ? 1 : 2);
    if (!WHOLE_LINE.test(line.slice(lineStart))) break;
    start = from + lineStart;
  }
  return start;
}
