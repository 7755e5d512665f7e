import { findAwsSecrets } from "./find-aws-secrets.ts";
import { Base64Search } from "./find-base64.ts";
import { findCredentials } from "./find-credentials.ts";
import { findFormats } from "./find-formats.ts";
import { findPrivateKeys } from "./find-private-keys.ts";
import { findRandom } from "./find-random.ts";
import { findUrlCredentials } from "./find-url-credentials.ts";
import type { Search } from "./key-rules.ts";
import type { OwnPattern } from "./own-patterns.ts";
import { eachRun } from "./runs.ts";
import { type Doubt, overlapping, type Span } from "./span.ts";

/** What the settings and the environment add to the search. */
export interface Additions {
  readonly patterns: readonly OwnPattern[];
  readonly allow: readonly OwnPattern[];
  readonly inEnvironment: (text: string) => Span[];
  /** Something of this may be there and not be seen as long as escapes are not resolved. */
  readonly hidesInEscapes: boolean;
}

export interface Findings {
  readonly spans: readonly Span[];
  /** Secretlint is asked about these. */
  readonly doubts: readonly Doubt[];
  /** Some string here has the name of a secret: it may be one although it does not look like it. */
  readonly namesSome: boolean;
}

/** What secretlint takes for a secret and the search here does not look at. */
const SHORT_TOKEN = /\b(?:xox[bpaor]|xapp)-[A-Za-z0-9]{1,40}-[A-Za-z0-9-]{1,200}/g;
const AWS_SECRET =
  /(?:SECRET|secret|Secret)_?(?:ACCESS|access|Access)_?(?:KEY|key|Key)["']?\s*(?:=>|[:=])\s*["']?[A-Za-z0-9/+=]{40}/g;

const DATABASE =
  /(?:mongodb|mysqlx?|postgres(?:ql)?)(?:\+srv)?:\/\/[^:/\s]{1,100}:[^@/\s]{1,200}@/gi;

/** Text in base64 in base64 is looked at, and no more. */
const DEEPEST = 2;
/** Pictures and files as text: no secret has a shape in there. */
const LONGEST_SEARCHED = 4_096;

/** Everything in one text that has to go. */
export function findSecrets(
  text: string,
  search: Search,
  additions: Additions,
  depth = 0,
): Findings {
  if (search === "whole") {
    return { spans: wholeSecret(text, additions), doubts: [], namesSome: false };
  }
  const doubts: Doubt[] = [];
  const spans: Span[] = [
    ...findPrivateKeys(text),
    ...findUrlCredentials(text, doubts),
    ...additions.inEnvironment(text),
    ...additions.patterns.flatMap((pattern) => pattern.find(text)),
  ];
  const random: Span[] = [];
  const named = new Set<string>();
  const coded = new Base64Search(text, (decoded) =>
    depth < DEEPEST ? findSecrets(decoded, search, additions, depth + 1).spans[0]?.kind : undefined,
  );
  eachRun(text, (run) => {
    const { start, end, isBase64 } = run;
    coded.look(run);
    if (isBase64 && end - start > LONGEST_SEARCHED) return;
    for (const span of findFormats(text, start, end, doubts)) spans.push(span);
    if (search !== "all") return;
    for (const span of findRandom(text, start, end, named)) random.push(span);
  });
  spans.push(...coded.spans);
  for (const span of findAwsSecrets(text, spans)) spans.push(span);
  const credentials = findCredentials(text);
  for (const span of credentials.spans) spans.push(span);
  // A guess gives way to what is known, also if it would take more.
  const guesses = random.filter(({ start, end }) => !named.has(text.slice(start, end)));
  if (guesses.length > 0) spans.push(...outsideOf([...publicData(text), ...spans], guesses));
  if (text.includes("xox") || text.includes("xapp-")) addMatches(doubts, text, SHORT_TOKEN);
  if (/ccess|CCESS/.test(text)) addMatches(doubts, text, AWS_SECRET);
  if (text.includes("://") && text.includes("@")) addMatches(doubts, text, DATABASE);
  const kept = allowed(text, spans, additions);
  const isCovered = overlapping(kept);
  return {
    spans: kept,
    doubts: doubts.filter((doubt) => !isCovered(doubt) && !isReplaced(text, doubt)),
    namesSome: credentials.namesSome,
  };
}

/** In what must stay as it is, only a string that is one secret from end to end is taken for one. */
function wholeSecret(text: string, additions: Additions): Span[] {
  const spans = [
    ...findFormats(text, 0, text.length),
    ...additions.inEnvironment(text),
    ...additions.patterns.flatMap((pattern) => pattern.find(text)),
  ];
  const whole = spans.filter(({ start, end }) => start === 0 && end === text.length);
  return allowed(text, whole, additions);
}

function allowed(text: string, spans: readonly Span[], { allow }: Additions): Span[] {
  if (allow.length === 0) return [...spans];
  return spans.filter(({ start, end }) => {
    const value = text.slice(start, end);
    return !allow.some((entry) => entry.is(value));
  });
}

function outsideOf(ranges: readonly Doubt[], spans: readonly Span[]): Span[] {
  const isCovered = overlapping(ranges);
  return spans.filter((span) => !isCovered(span));
}

function addMatches(doubts: Doubt[], text: string, pattern: RegExp): void {
  for (const { index, 0: match } of text.matchAll(pattern)) {
    doubts.push({ start: index, end: index + match.length });
  }
}

function isReplaced(text: string, { start, end }: Doubt): boolean {
  return text.slice(start, end).includes("[REDACTED:");
}

/** Certificates and public keys. */
const PUBLIC_BLOCK =
  /-----BEGIN (?![A-Z0-9 ]*PRIVATE)[A-Z0-9 ]{1,40}-----[^-]{0,32768}-----END (?![A-Z0-9 ]*PRIVATE)/g;
/** What `base64` prints of a file. A private key has fewer lines. */
const LONG_BLOCK =
  /(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{60,76}(?:\r?\n|\\n)){60,}[A-Za-z0-9+/]{0,76}={0,2}/g;

/** Parts of a text that look random and are known not to be secrets. */
function publicData(text: string): Doubt[] {
  const ranges: Doubt[] = [];
  if (text.includes("-----BEGIN ")) add(ranges, text, PUBLIC_BLOCK);
  add(ranges, text, LONG_BLOCK);
  return ranges;
}

function add(ranges: Doubt[], text: string, pattern: RegExp): void {
  for (const { index, 0: match } of text.matchAll(pattern)) {
    ranges.push({ start: index, end: index + match.length });
  }
}
