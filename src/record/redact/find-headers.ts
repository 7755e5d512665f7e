import { decodedText } from "./base64.ts";
import { isCode } from "./credential-value.ts";
import { isRandom } from "./find-random.ts";
import { isPlaceholder } from "./placeholders.ts";
import type { Span } from "./span.ts";

const HEADER = /bearer|basic|authorization|\b_?auth\b/gi;
const BEFORE_VALUE =
  /\\*["']?[ \t]{0,3}[:=, \t][ \t]{0,3}\\*["'`]?(?:(?:token|apikey|digest|key)[ \t]{1,3})?/iy;
const HEADER_VALUE = /[A-Za-z0-9._~+/=:-]{8,128}/y;
const REST_OF_HEADER = /[A-Za-z0-9._~+/=:-]*/y;

const COOKIES = /\b(?:set-)?cookie2?\b/gi;
const BEFORE_COOKIES = /\\*["']?[ \t]{0,3}(?:[:=,][ \t]{0,3}|[ \t]{1,3})\\*["'`]?/y;
const COOKIE = /[ \t]{0,2}([\w.$%-]{1,64})=([^\s;,"'`\\]{0,4096})(?:;|$|(?=[\s"'`\\]))/y;
const MOST_COOKIES = 64;
/** Cookies by which a server knows who somebody is. */
const COOKIE_NAME =
  /sess|(?:^|[-_.])s?id$|sid$|auth|token|jwt|csrf|xsrf|remember|login|secret|credential|ticket|identity/i;

/** What goes over the wire to say who somebody is: `Authorization: …`, `Cookie: …`. */
export function findHeaders(text: string): Span[] {
  const spans: Span[] = [];
  HEADER.lastIndex = 0;
  for (let match = HEADER.exec(text); match; match = HEADER.exec(text)) {
    BEFORE_VALUE.lastIndex = match.index + match[0].length;
    if (!BEFORE_VALUE.test(text)) continue;
    HEADER_VALUE.lastIndex = BEFORE_VALUE.lastIndex;
    const value = HEADER_VALUE.exec(text)?.[0];
    if (value === undefined) continue;
    const isNamed = match[0].length > "_auth".length && isHeaderValue(value);
    if (!isNamed && !isBasicAuth(value)) continue;
    REST_OF_HEADER.lastIndex = HEADER_VALUE.lastIndex;
    REST_OF_HEADER.test(text);
    const end = Math.max(HEADER_VALUE.lastIndex, REST_OF_HEADER.lastIndex);
    spans.push({ start: HEADER_VALUE.lastIndex - value.length, end, kind: "authorization" });
  }
  for (const span of findCookies(text)) spans.push(span);
  return spans;
}

/** A user and a password in base64, as HTTP and the settings of docker and npm have them. */
export function isBasicAuth(value: string): boolean {
  const text = decodedText(value);
  return text !== undefined && /^[^\s:]{1,64}:[^\s]{1,128}$/.test(text);
}

/** Words follow "token" and "basic" in prose all the time; credentials have digits or both cases. */
function isHeaderValue(value: string): boolean {
  if (isPlaceholder(value) || value.length < 12 || isCode(value)) return false;
  const hasDigit = /\d/.test(value);
  const isLong = value.length >= 20;
  const words = /^[A-Za-z]+(?:[-_./:=][A-Za-z]*\d{0,3})*$/.test(value);
  return !words && (hasDigit || (isLong && /[a-z]/.test(value) && /[A-Z]/.test(value)));
}

function findCookies(text: string): Span[] {
  const spans: Span[] = [];
  COOKIES.lastIndex = 0;
  for (let match = COOKIES.exec(text); match; match = COOKIES.exec(text)) {
    BEFORE_COOKIES.lastIndex = match.index + match[0].length;
    if (!BEFORE_COOKIES.test(text)) continue;
    let at = BEFORE_COOKIES.lastIndex;
    for (let count = 0; count < MOST_COOKIES; count++) {
      COOKIE.lastIndex = at;
      const cookie = COOKIE.exec(text);
      if (!cookie) break;
      const [whole, name = "", value = ""] = cookie;
      const end = at + whole.length - (whole.endsWith(";") ? 1 : 0);
      if (isCookieSecret(name, value)) {
        spans.push({ start: end - value.length, end, kind: "cookie" });
      }
      at += whole.length;
    }
    COOKIES.lastIndex = Math.max(COOKIES.lastIndex, at);
  }
  return spans;
}

function isCookieSecret(name: string, value: string): boolean {
  if (value.length < 8 || isPlaceholder(value) || isCode(value)) return false;
  if (!COOKIE_NAME.test(name)) return isRandom(value);
  return /\d/.test(value) || (value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value));
}
