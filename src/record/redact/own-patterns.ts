import { isUtf8 } from "node:buffer";
import { messageOf, SeamError } from "../../errors/index.ts";
import { type LinearRegExp, linearRegExp } from "./linear-regexp.ts";
import type { Span } from "./span.ts";
import { asBytes } from "./unescape.ts";

/** What one entry of the settings stands for. */
export interface OwnPattern {
  find(text: string): Span[];
  /** Whether the entry is about this very text. */
  is(text: string): boolean;
}

const KIND = "own-pattern";
const REGEXP = /^\/(.+)\/([a-z]*)$/s;
const FLAGS = /^[ims]*$/;
/** A shorter text is a part of too many words. */
const SHORTEST_TEXT = 4;
/** What people write in regular expressions and hardly ever in names and passwords. */
const LIKE_REGEXP =
  /\\[dwsb](?![a-z])|\[[^\]]+\](?:[+*?]|\{\d)|\.[*+]|\(\?[:!=<]|[\])a-z]\{\d+(?:,\d*)?\}|\([^()]+\|[^()]+\)/i;

type Setting = "redaction.patterns" | "redaction.allow";

/**
 * `/…/i` is a regular expression, anything else a text. An entry that cannot be used is a problem
 * to show, and then counts as the text it is: what the user typed is still kept out.
 */
export function ownPatterns(
  entries: readonly string[],
  setting: Setting,
  problems: SeamError[],
): OwnPattern[] {
  return entries.flatMap((entry, index) => {
    const refuse = (detail: string) =>
      problems.push(
        new SeamError("SEAM_REDACTION_PATTERN", { setting, number: index + 1, detail }),
      );
    const [, source, flags = ""] = REGEXP.exec(entry) ?? [];
    if (source !== undefined) {
      try {
        if (!FLAGS.test(flags))
          throw new Error(`the flags "${flags}" are not known, only i, m and s`);
        const regexp = linearRegExp(source, flags);
        if (regexp.fitsNothing && setting === "redaction.patterns")
          throw new Error("it also fits where there is nothing, and would be found everywhere");
        return [fromRegExp(regexp)];
      } catch (thrown) {
        refuse(messageOf(thrown));
      }
    }
    if (entry.trim().length < SHORTEST_TEXT) {
      if (source !== undefined) return [];
      refuse(`it is shorter than ${SHORTEST_TEXT} characters and would be found everywhere`);
      return [];
    }
    if (source === undefined && isLikeRegExp(entry)) {
      problems.push(new SeamError("SEAM_REDACTION_TEXT", { setting, number: index + 1 }));
    }
    return [fromText(entry, KIND)];
  });
}

function isLikeRegExp(entry: string): boolean {
  if (!LIKE_REGEXP.test(entry)) return false;
  try {
    new RegExp(entry);
    return true;
  } catch {
    return false;
  }
}

/** Finds one text, as its bytes. */
export function fromText(entry: string, kind: string): OwnPattern {
  const bytes = asBytes(entry);
  return {
    find: (text) => {
      const spans: Span[] = [];
      for (let at = text.indexOf(bytes); at >= 0; at = text.indexOf(bytes, at + bytes.length)) {
        spans.push({ start: at, end: at + bytes.length, kind });
      }
      return spans;
    },
    is: (text) => text === bytes,
  };
}

function fromRegExp(regexp: LinearRegExp): OwnPattern {
  return {
    find: (bytes) => {
      const { text, offsetOf } = asText(bytes);
      return regexp.findAll(text).map(({ start: index, end }) => {
        const start = offsetOf(index);
        const length = offsetIn(text.slice(index, end), text === bytes);
        return { start, end: start + length, kind: KIND };
      });
    },
    is: (bytes) => regexp.isWhole(asText(bytes).text),
  };
}

/** Regular expressions see characters. Bytes that are no UTF-8 are seen one by one. */
function asText(bytes: string): { text: string; offsetOf: (index: number) => number } {
  const buffer = Buffer.from(bytes, "latin1");
  const isPlain = !/[\x80-\xff]/.test(bytes) || !isUtf8(buffer);
  if (isPlain) return { text: bytes, offsetOf: (index) => index };
  const text = buffer.toString("utf8");
  let known = 0;
  let offset = 0;
  return {
    text,
    offsetOf: (index) => {
      if (index < known) return Buffer.byteLength(text.slice(0, index));
      offset += Buffer.byteLength(text.slice(known, index));
      known = index;
      return offset;
    },
  };
}

function offsetIn(match: string, isPlain: boolean): number {
  return isPlain ? match.length : Buffer.byteLength(match);
}
