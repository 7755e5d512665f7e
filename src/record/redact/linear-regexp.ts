import { createRequire } from "node:module";
import type * as Re2 from "re2js";
import { messageOf } from "../../errors/index.ts";

export interface Match {
  readonly start: number;
  readonly end: number;
}

/** A regular expression whose search never takes more than a time in proportion to the text. */
export interface LinearRegExp {
  findAll(text: string): Match[];
  /** From end to end. */
  isWhole(text: string): boolean;
  /** It is found in every text, between any two characters. */
  readonly fitsNothing: boolean;
}

/** A step over one character takes as long as the expression is big. */
const BIGGEST = 1_500;
/** Long texts are searched in windows: so no single step takes long. */
const WINDOW = 16 * 1024;
const SHARED = 4 * 1024;
/** Of the processor's time, for one text and for each of its characters: several times the usual. */
const MOST_MS = 1_000;
const MOST_MS_EACH = 1 / 1024;
const PROBES = ["", "a", " a b\n"];

let loaded: typeof Re2 | undefined;

/** Only who has such an expression pays for the engine. */
function engine(): typeof Re2.RE2JS {
  loaded ??= createRequire(import.meta.url)("re2js") as typeof Re2;
  return loaded.RE2JS;
}

/**
 * Node's own expressions go back and try again, some of them for longer than anybody lives, and
 * nothing can stop them meanwhile. Throws for what cannot be searched without going back, and for
 * what is no expression at all.
 */
export function linearRegExp(source: string, flags: string): LinearRegExp {
  new RegExp(source, `${flags}u`);
  const RE2JS = engine();
  let bits = 0;
  if (flags.includes("i")) bits |= RE2JS.CASE_INSENSITIVE;
  if (flags.includes("m")) bits |= RE2JS.MULTILINE;
  if (flags.includes("s")) bits |= RE2JS.DOTALL;
  const compiled = compile(RE2JS, source, bits);
  if (compiled.programSize() > BIGGEST) {
    throw new Error("it has so many parts or repeats that every search would take long");
  }
  return {
    findAll: (text) => findAll(compiled, text),
    isWhole: (text) => compiled.matcher(text).matches(),
    fitsNothing: PROBES.some((probe) => findsNothing(compiled, probe)),
  };
}

function compile(RE2JS: typeof Re2.RE2JS, source: string, bits: number): Re2.RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source), bits);
  } catch (thrown) {
    throw new Error(
      `look-around, back references and repeats over 1,000 cannot be used, they could take for ever (${messageOf(thrown)})`,
    );
  }
}

function findsNothing(compiled: Re2.RE2JS, text: string): boolean {
  const matcher = compiled.matcher(text);
  while (matcher.find()) if (matcher.start() === matcher.end()) return true;
  return false;
}

function findAll(compiled: Re2.RE2JS, text: string): Match[] {
  const found: Match[] = [];
  const deadline = processorMs() + MOST_MS + text.length * MOST_MS_EACH;
  for (let from = 0; ; ) {
    const to = from + WINDOW >= text.length ? text.length : wholeCharacter(text, from + WINDOW);
    const next = wholeCharacter(text, to - SHARED);
    const isLast = to === text.length;
    const matcher = compiled.matcher(text.slice(from, to));
    while (matcher.find()) {
      const match = { start: from + matcher.start(), end: from + matcher.end() };
      // What touches the edge of a window stands whole in the one before or after, if it is real.
      const isCutBefore = from > 0 && match.start === from && match.end < from + SHARED;
      const isCutAfter = !isLast && match.end === to && match.start > next;
      if (match.end > match.start && !isCutBefore && !isCutAfter) found.push(match);
      // Some expressions look at all the rest for every match. Better too much goes than a secret stays.
      if (processorMs() > deadline) return [...found, { start: match.start, end: text.length }];
    }
    if (isLast) return found.sort((a, b) => a.start - b.start);
    from = next;
  }
}

function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at;
}

/** Not the clock's: a machine may sleep meanwhile. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
