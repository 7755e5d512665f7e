import type { Span } from "./span.ts";

/** Where a text that is read line by line stands: a key goes over many lines. */
export type KeyState = "outside" | "begun" | "inside" | "public";

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----/;
const END = /-----END [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----/;
/** Certificates, public keys and signatures look random and are no secrets. */
const PUBLIC = /-----BEGIN (?![A-Z0-9 ]*PRIVATE)[A-Z0-9 ]{1,40}-----\s*$/;
const HEADER = /^[^A-Za-z0-9]{0,8}(?:\d{1,6}[^A-Za-z0-9]{1,4})?[A-Za-z0-9-]{2,20}: .{0,80}$/;
const BODY =
  /^([^A-Za-z0-9+/=]{0,8}(?:\d{1,6}[^A-Za-z0-9+/=]{1,4})?)([A-Za-z0-9+/=]+)(?:[\s"'`,;+]|\\n)*$/;
const BLANK = /^[^A-Za-z0-9]*(?:\d{1,6}[^A-Za-z0-9]{0,4})?$/;
/** The first line of a real key. A shorter one is a word that happens to stand there. */
const FIRST_LINE = 40;

/** The part of one line that belongs to a key, and where the next line stands. */
export function keyLine(state: KeyState, line: string): { next: KeyState; span?: Span } {
  const begin = BEGIN.exec(line);
  if (begin) return { next: END.test(line.slice(begin.index)) ? "outside" : "begun" };
  if (PUBLIC.test(line)) return { next: "public" };
  if (state === "public") return { next: BODY.test(line) || isBlank(line) ? "public" : "outside" };
  if (state === "outside" || END.test(line)) return { next: "outside" };
  // Whoever took this out took the lines after it too: what follows now is something else.
  if (line.includes("[REDACTED:private-key]")) return { next: "outside" };
  const body = BODY.exec(line);
  const [, before = "", text = ""] = body ?? [];
  if (body && (state === "inside" || text.length >= FIRST_LINE)) {
    const start = before.length;
    return { next: "inside", span: { start, end: start + text.length, kind: "private-key" } };
  }
  return { next: BLANK.test(line) || (state === "begun" && HEADER.test(line)) ? state : "outside" };
}

/** Before the text of a block there is an empty line, or one that says how it was made. */
function isBlank(line: string): boolean {
  return BLANK.test(line) || HEADER.test(line);
}

/** Whether this line is a part of something public. */
export function isPublic(state: KeyState, line: string): boolean {
  return state === "public" && BODY.test(line);
}
