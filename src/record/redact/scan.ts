import { withoutColours } from "./colours.ts";
import { isCredential, isPasswordName } from "./credential-value.ts";
import { eachPart } from "./each-part.ts";
import { findFormats } from "./find-formats.ts";
import { isBasicAuth } from "./find-headers.ts";
import { type Additions, findSecrets } from "./find-secrets.ts";
import { type Search, searchOf } from "./key-rules.ts";
import { withoutPercent } from "./percent.ts";
import type { Rewritten } from "./rewritten.ts";
import { isSecretName, isSecretVariable } from "./secret-names.ts";
import type { Doubt, Span } from "./span.ts";
import { findSuspects, touches } from "./suspects.ts";
import { HIDING_ESCAPE, unescapeJson } from "./unescape.ts";
import { type Frame, walkJson } from "./walk-json.ts";

/** Where something that was found in a piece of text stands in the bytes. Undefined: not to be used. */
type Locate = (start: number, end: number, kind: string) => Span | undefined;

/** A piece of text secretlint is asked about, and where its answer belongs. */
export interface ScanQuestion {
  readonly text: string;
  readonly place: Locate;
}

/** What was found in some bytes, as offsets into them. */
export interface Scan {
  readonly spans: Span[];
  readonly questions: ScanQuestion[];
  /** Kinds of secrets that stand in keys: those are not changed. */
  readonly inKeys: string[];
}

/** JSON inside strings of JSON. */
const DEEPEST = 4;
/** How much of the text around a doubt secretlint gets to see. */
const AROUND = 512;
const LONGEST_QUESTION = 4 * 1024;
const SHORTEST_SECRET = 4;
const SHORTEST_KEY = 20;

/** `{`, `[` and `"`. */
const OPENING = new Set([123, 91, 34]);

const newScan = (): Scan => ({ spans: [], questions: [], inKeys: [] });

/** One JSON text. Undefined: it is none. */
export function scanJson(
  bytes: Buffer,
  start: number,
  end: number,
  additions: Additions,
): Scan | undefined {
  const suspects = findSuspects(bytes, start, end, additions);
  // A line of a private key could pass for a word of JSON: only what opens like JSON is trusted.
  if (suspects.length === 0 && OPENING.has(bytes[start] ?? 0)) return newScan();
  return walkStrings(bytes, start, end, { additions, place: inBytes, depth: 0, suspects });
}

/** One line of text. */
export function scanText(bytes: Buffer, start: number, end: number, additions: Additions): Scan {
  const scan = newScan();
  eachPart(bytes, start, end, ({ start: from, end: to, isCut }) => {
    const text = bytes.toString("latin1", from, to);
    collect(text, "all", additions, scan, (first, last, kind) =>
      isCut(first === 0, last === text.length, last - first)
        ? undefined
        : { start: from + first, end: from + last, kind },
    );
  });
  return scan;
}

const inBytes: Locate = (start, end, kind) => ({ start, end, kind });

/** What all strings of one JSON text have in common. */
interface Walk {
  readonly additions: Additions;
  readonly place: Locate;
  /** How many strings this text is inside of. */
  readonly depth: number;
  /** Only what touches these is searched. Undefined: everything. */
  readonly suspects: readonly Doubt[] | undefined;
}

function walkStrings(bytes: Buffer, start: number, end: number, walk: Walk): Scan | undefined {
  const scan = newScan();
  // Only what an object says elsewhere tells whether this is a picture, and it may come later.
  const data: { start: number; end: number; frame: Frame }[] = [];
  const isJson = walkJson(bytes, start, end, {
    value: (from, to, frame) => {
      if (to - from < SHORTEST_SECRET || !touches(walk.suspects, from, to)) return;
      if (frame.key === "data" && !frame.isList) data.push({ start: from, end: to, frame });
      else scanString(bytes, from, to, frame, walk, scan);
    },
    key: (from, to) => {
      if (to - from < SHORTEST_KEY || !touches(walk.suspects, from, to)) return;
      const text = bytes.toString("latin1", from, to);
      for (const { kind } of findFormats(text, 0, text.length)) scan.inKeys.push(kind);
    },
  });
  if (!isJson) return undefined;
  for (const { start: from, end: to, frame } of data) {
    scanString(bytes, from, to, { ...frame, key: "data" }, walk, scan);
  }
  return scan;
}

function scanString(
  bytes: Buffer,
  start: number,
  end: number,
  frame: Frame,
  { additions, place, depth, suspects }: Walk,
  scan: Scan,
): void {
  eachPart(bytes, start, end, ({ start: from, end: to, isWhole, isCut }) => {
    if (!touches(suspects, from, to)) return;
    const { text, startInSource, endInSource } = unescapeJson(bytes.toString("latin1", from, to));
    const placeHere: Locate = (first, last, kind) =>
      isCut(first === 0, last === text.length, last - first)
        ? undefined
        : place(from + startInSource(first), from + endInSource(last), kind);
    const search = searchOf(frame, text);
    if (isWhole && search === "all" && isNamedSecret(frame.key, text)) {
      add(scan.spans, placeHere(0, text.length, "credential"));
      return;
    }
    const isNested = isWhole && search !== "whole" && depth < DEEPEST && /^\s*[[{]/.test(text);
    const inside = isNested
      ? scanNested(text, { additions, place: placeHere, depth: depth + 1, suspects: undefined })
      : undefined;
    if (inside) {
      scan.spans.push(...inside.spans);
      scan.questions.push(...inside.questions);
    }
    collect(text, inside ? "named" : search, additions, scan, placeHere);
  });
}

/** Agents keep calls and results as JSON in a string: ids and signatures in there count too. */
function scanNested(text: string, walk: Walk): Scan | undefined {
  const bytes = Buffer.from(text, "latin1");
  return walkStrings(bytes, 0, bytes.length, walk);
}

/** `"password": "…"`: the key says what the string is. */
function isNamedSecret(key: string, text: string): boolean {
  if (key === "auth" || key === "_auth") return isBasicAuth(text);
  const isVariable = /^[A-Z][A-Z0-9_]*$/.test(key) && isSecretVariable(key);
  const isPassword = isPasswordName(key);
  if (isVariable) return isCredential(text, "environment", isPassword) && !/\s/.test(text);
  return isSecretName(key) && isCredential(text, "quoted", isPassword);
}

function collect(
  text: string,
  search: Search,
  additions: Additions,
  scan: Scan,
  place: Locate,
  ways = ALL_WAYS,
): void {
  const { spans, doubts } = findSecrets(text, search, additions);
  for (const { start, end, kind } of spans) add(scan.spans, place(start, end, kind));
  for (const { start, end } of apart(doubts)) {
    const from = Math.max(0, start - AROUND);
    scan.questions.push({
      text: text.slice(from, end + AROUND),
      // What begins where the text was cut off need not begin there.
      place: (first, last, kind) =>
        first === 0 && from > 0 ? undefined : place(from + first, from + last, kind),
    });
  }
  if (search === "whole") return;
  for (const { view, next, isAddress } of viewsOf(text, ways)) {
    collect(
      view.text,
      isAddress ? "named" : search,
      additions,
      scan,
      (start, end, kind) => place(view.startInSource(start), view.endInSource(end), kind),
      next,
    );
  }
}

/** How else a text can be read. */
interface Ways {
  readonly withoutColours: boolean;
  readonly withoutPercent: boolean;
  readonly withoutEscapes: number;
}

const ALL_WAYS: Ways = { withoutColours: true, withoutPercent: true, withoutEscapes: DEEPEST };

interface View {
  readonly view: Rewritten;
  readonly next: Ways;
  /** In an address without its escapes, much looks random. */
  readonly isAddress?: true;
}

/** The text as it would be one step nearer to what a person sees, and what is left to try then. */
function* viewsOf(text: string, ways: Ways): Generator<View> {
  const shown = ways.withoutColours ? withoutColours(text) : undefined;
  if (shown) yield { view: shown, next: { ...ways, withoutColours: false } };
  const plain = ways.withoutPercent ? withoutPercent(text) : undefined;
  if (plain) yield { view: plain, next: { ...ways, withoutPercent: false }, isAddress: true };
  if (ways.withoutEscapes === 0 || !HIDING_ESCAPE.test(text)) return;
  // A text in a text: what one level of escapes hides is searched without them.
  const inner = unescapeJson(text);
  if (inner.text.length === text.length) return;
  yield { view: inner, next: { ...ways, withoutEscapes: ways.withoutEscapes - 1 } };
}

/** Doubts that stand together are one question, and a long one is several: all take their time. */
function apart(doubts: readonly Doubt[]): Doubt[] {
  const questions: { start: number; end: number }[] = [];
  for (const { start, end } of [...doubts].sort((a, b) => a.start - b.start)) {
    const last = questions.at(-1);
    if (last && start <= last.end + AROUND) last.end = Math.max(last.end, end);
    else questions.push({ start, end });
  }
  return questions.flatMap(({ start, end }) =>
    Array.from({ length: Math.ceil((end - start) / LONGEST_QUESTION) }, (_, number) => {
      const from = start + number * LONGEST_QUESTION;
      return { start: from, end: Math.min(end, from + LONGEST_QUESTION) };
    }),
  );
}

function add(spans: Span[], span: Span | undefined): void {
  if (span) spans.push(span);
}
