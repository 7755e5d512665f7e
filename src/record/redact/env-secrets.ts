import { isLetterOrDigit, startsHere } from "./boundary.ts";
import { isPlaceholder } from "./placeholders.ts";
import { isSecretVariable } from "./secret-names.ts";
import type { Span } from "./span.ts";
import { asBytes } from "./unescape.ts";

const KIND = "environment";
const SHORTEST = 8;
/** Where a key lies is no key. */
const PATH = /^(?:~|\.{1,2})?\/[\w.@+-]+(?:\/[\w.@+ -]+)*\/?$/;
const URL_WITHOUT_USER = /^[a-z][a-z+.-]*:\/\/[^@]*$/i;
/** Settings that are called like secrets: too common as words to be taken out of every text. */
const PLAIN_WORD = /^[a-z]{1,12}$|^[A-Z_]{1,16}$|^\d{1,9}$/;
const ONLY_LETTERS = /^[A-Za-z]+$/;

/** The values of environment variables that are named like secrets. */
export function envSecrets(env: NodeJS.ProcessEnv): {
  find: (text: string) => Span[];
  /** Some of them are written differently in JSON. */
  hidesInEscapes: boolean;
} {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSecretVariable(name) && isSecretValue(value) ? writings(value) : [],
  );
  const secrets = [...new Set(values)];
  return {
    find: (text) => secrets.flatMap((secret) => occurrences(text, secret)),
    hidesInEscapes: secrets.some((secret) => /[^ -~]/.test(secret)),
  };
}

function isSecretValue(value: string): boolean {
  if (value.length < SHORTEST || value.trim() === "" || isPlaceholder(value)) return false;
  return !PATH.test(value) && !URL_WITHOUT_USER.test(value) && !PLAIN_WORD.test(value);
}

/** As it is, in an address, and in JSON inside a text. */
function writings(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  return [value, inJson, encodeURIComponent(Buffer.from(value).toString())].map(asBytes);
}

/** What is only letters must stand by itself: it is part of longer words. */
function occurrences(text: string, secret: string): Span[] {
  const spans: Span[] = [];
  const isWord = ONLY_LETTERS.test(secret);
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    const end = at + secret.length;
    if (isWord && (!startsHere(text, at) || isLetterOrDigit(text.charCodeAt(end)))) continue;
    spans.push({ start: at, end, kind: KIND });
  }
  return spans;
}
