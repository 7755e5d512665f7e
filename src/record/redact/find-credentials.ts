import { isCode, isCredential, type Place } from "./credential-value.ts";
import { isPlaceholder } from "./placeholders.ts";
import { isSecretName, isSecretVariable, NAME_TAIL, NAME_WORD } from "./secret-names.ts";
import type { Span } from "./span.ts";

/** The rest of the name, its quotes, the sign, up to the value. Never over the end of a line. */
const SIGN = new RegExp(
  `(${NAME_TAIL})\\\\*["'\`]?\\]?[ \\t]{0,8}(?:=>|:=|[:=](?![=:]))[ \\t]{0,8}`,
  "iy",
);
const FLAG_SIGN = /(?:=|[ \t]{1,4})/y;
const QUOTED = /(?:[rbfu]{0,2})(\\*)(["'`])((?:(?!\2)[^\n\r\\]|\\(?!["'`n]).){1,512})\1\2/y;
/** The beginning of a value says what it is; a secret goes to its end. */
const BARE = /[^\s"'`|<>()[\]{}\\]{1,128}/y;
const REST_OF_BARE = /[^\s"'`|<>()[\]{}\\]*/y;
/**
 * Passwords may have these in them. They end a value where nothing, the same again or another name
 * comes after them.
 */
const ENDS_BARE = /[,;&](?=$|[,;&]|[\w.$%-]{1,64}[=:]|amp;)/;
const JOINS = /[,;&]/g;
/** In an address one parameter ends where the next one begins. */
const IN_ADDRESS = /[?&;]$/;
/** The longest name that is looked at. */
const LONGEST_NAME = 64;
const NAME_BEFORE = /(?:--?)?[A-Za-z0-9_.$-]*$/;

const HEADER = /bearer|basic|authorization/gi;
const BEFORE_VALUE =
  /\\*["']?[ \t]{0,3}[:=, \t][ \t]{0,3}\\*["'`]?(?:(?:token|apikey|digest|key)[ \t]{1,3})?/iy;
const HEADER_VALUE = /[A-Za-z0-9._~+/=:-]{8,128}/y;
const REST_OF_HEADER = /[A-Za-z0-9._~+/=:-]*/y;
const CURL_USER =
  /(?:\s-u|\s--user|\s--proxy-user)[ =]{0,2}(\\*["']?)([^\s:"'\\]{1,128}):([^\s"'\\]{1,256})/g;

export interface Credentials {
  readonly spans: readonly Span[];
  /** Some string has the name of a secret, whether it looks like one or not. */
  readonly namesSome: boolean;
}

interface Sign {
  readonly nameEnd: number;
  readonly valueAt: number;
}

const OPENS_STRING = new Set(['"', "\\"]);

/** Values that the text around them calls a secret: `password=…`, `"apiKey": "…"`, headers. */
export function findCredentials(text: string): Credentials {
  const spans: Span[] = [];
  let namesSome = false;
  NAME_WORD.lastIndex = 0;
  for (let match = NAME_WORD.exec(text); match; match = NAME_WORD.exec(text)) {
    const sign = signAfter(text, match.index + match[0].length);
    if (!sign) continue;
    namesSome ||= OPENS_STRING.has(text[sign.valueAt] ?? "");
    const span = assignmentAt(text, sign.nameEnd, sign.valueAt);
    if (!span) continue;
    spans.push(span);
    NAME_WORD.lastIndex = span.end;
  }
  for (const span of findHeaders(text)) spans.push(span);
  return { spans, namesSome };
}

function assignmentAt(text: string, nameEnd: number, valueAt: number): Span | undefined {
  const before = text.slice(Math.max(0, nameEnd - LONGEST_NAME), nameEnd);
  const name = NAME_BEFORE.exec(before)?.[0] ?? "";
  // What stands for a removed secret is called like one.
  if (before.slice(0, before.length - name.length).endsWith("[REDACTED:")) return undefined;
  const tight = text.charCodeAt(nameEnd) === 61;
  const isVariable = tight && /^[A-Z][A-Z0-9_]*$/.test(name) && isSecretVariable(name);
  if (!isVariable && !isSecretName(name)) return undefined;
  QUOTED.lastIndex = valueAt;
  const quoted = QUOTED.exec(text);
  if (quoted) {
    const [whole, slashes = "", , value = ""] = quoted;
    const end = valueAt + whole.length - slashes.length - 1;
    return spanIf(value, end, isVariable ? "environment" : "quoted");
  }
  const isParameter = IN_ADDRESS.test(before.slice(0, before.length - name.length));
  return bareAt(text, valueAt, isVariable ? "environment" : "bare", isParameter);
}

function bareAt(text: string, start: number, place: Place, isParameter: boolean): Span | undefined {
  BARE.lastIndex = start;
  const bare = BARE.exec(text)?.[0] ?? "";
  // A call or a list is code.
  if ("([{".includes(text[start + bare.length] ?? " ")) return undefined;
  const ends = isParameter ? JOINS : ENDS_BARE;
  const cut = bare.search(ends);
  const value = cut < 0 ? bare : bare.slice(0, cut);
  // A sign between two words makes no secret of them.
  if (!isCredential(value, place) || !isCredential(value.replace(JOINS, ""), place))
    return undefined;
  const valueEnd = start + value.length;
  if (cut >= 0) return { start, end: valueEnd, kind: "credential" };
  const rest = text.slice(valueEnd, endOf(REST_OF_BARE, text, valueEnd));
  const more = rest.search(ends);
  return { start, end: valueEnd + (more < 0 ? rest.length : more), kind: "credential" };
}

function signAfter(text: string, wordEnd: number): Sign | undefined {
  SIGN.lastIndex = wordEnd;
  const sign = SIGN.exec(text);
  if (sign) return { nameEnd: wordEnd + (sign[1] ?? "").length, valueAt: SIGN.lastIndex };
  FLAG_SIGN.lastIndex = wordEnd;
  if (!FLAG_SIGN.test(text)) return undefined;
  const isFlag = /--[A-Za-z0-9-]*$/.test(text.slice(Math.max(0, wordEnd - LONGEST_NAME), wordEnd));
  return isFlag ? { nameEnd: wordEnd, valueAt: FLAG_SIGN.lastIndex } : undefined;
}

function endOf(rest: RegExp, text: string, at: number): number {
  rest.lastIndex = at;
  rest.test(text);
  return rest.lastIndex;
}

function spanIf(value: string, end: number, place: Place): Span | undefined {
  if (!isCredential(value, place)) return undefined;
  return { start: end - value.length, end, kind: "credential" };
}

function findHeaders(text: string): Span[] {
  const spans: Span[] = [];
  HEADER.lastIndex = 0;
  for (let match = HEADER.exec(text); match; match = HEADER.exec(text)) {
    BEFORE_VALUE.lastIndex = match.index + match[0].length;
    if (!BEFORE_VALUE.test(text)) continue;
    HEADER_VALUE.lastIndex = BEFORE_VALUE.lastIndex;
    const value = HEADER_VALUE.exec(text)?.[0];
    if (value === undefined || !isHeaderValue(value)) continue;
    const end = endOf(REST_OF_HEADER, text, HEADER_VALUE.lastIndex);
    spans.push({ start: HEADER_VALUE.lastIndex - value.length, end, kind: "authorization" });
  }
  for (const { index, 0: whole, 3: password = "" } of text.matchAll(CURL_USER)) {
    if (isPlaceholder(password) || !text.slice(Math.max(0, index - 300), index).includes("curl")) {
      continue;
    }
    const end = index + whole.length;
    spans.push({ start: end - password.length, end, kind: "credential" });
  }
  return spans;
}

/** Words follow "token" and "basic" in prose all the time; credentials have digits or both cases. */
function isHeaderValue(value: string): boolean {
  if (isPlaceholder(value) || value.length < 12 || isCode(value)) return false;
  const hasDigit = /\d/.test(value);
  const isLong = value.length >= 20;
  const words = /^[A-Za-z]+(?:[-_./:=][A-Za-z]*\d{0,3})*$/.test(value);
  return !words && (hasDigit || (isLong && /[a-z]/.test(value) && /[A-Z]/.test(value)));
}
