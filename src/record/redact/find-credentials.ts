import { type CredentialContext, isCredential, isPasswordName } from "./credential-value.ts";
import { findCommandPasswords } from "./find-commands.ts";
import { findHeaders } from "./find-headers.ts";
import { findPgpass } from "./find-pgpass.ts";
import { findPiped } from "./find-piped.ts";
import { findTables, isBesideBar } from "./find-tables.ts";
import { findTyped } from "./find-typed.ts";
import { isSecretName, isSecretVariable, NAME_TAIL, NAME_WORD } from "./secret-names.ts";
import type { Span } from "./span.ts";

/** The rest of the name, its quotes, the sign, up to the value. Never over the end of a line. */
const SIGN = new RegExp(
  `(${NAME_TAIL})\\\\*["'\`]?\\]?[ \\t]{0,8}(?:=>|:=|[:=](?![=:]))[ \\t]{0,8}`,
  "iy",
);
const FLAG_SIGN = /(?:=|[ \t]{1,4})/y;
const FLAG = /--[A-Za-z0-9-]*$/;
/** `--pass`, `--db-pass`: only an option is called so. */
const PASS_FLAG = /^--(?:[a-z0-9-]{1,32}-)?pass$/;
/** `set -gx DB_PASSWORD …` of fish, `setenv DB_PASSWORD …` of csh. */
const SET =
  /(?:^|[^\w-])(?:set(?:[ \t]{1,4}-[A-Za-z-]{1,12}){1,4}|setenv)[ \t]{1,4}[A-Z0-9_]{1,64}$/;
/** `<password>…</password>` */
const OPENED = /<[\w.:-]{1,64}$/;
const ELEMENT = />(?=[^\s<>"']{1,256}<\\*\/)/y;
/** `name="password" value="…"`, `"name": "DB_PASSWORD", "value": "…"`, the same in YAML over two lines. */
const CALLED = /(?:^|[^A-Za-z])(?:name|key)\\*["']?[ \t]{0,4}[:=][ \t]{0,4}\\*["']?[\w.$-]{1,64}$/i;
const PAIR =
  /\\*["']?(?:[ \t]{0,4},)?(?:[ \t]|\r?\n|\\+n){0,40}\\*["']?value\\*["']?[ \t]{0,4}[:=][ \t]{0,4}/iy;
/** What a name ends with that is one of such two. */
const ENDS_NAME = new Set([">", '"', "'", "\\", "\r", "\n"]);
const WORD_SIGN = /[ \t]{1,2}(?:(?:is|ist|was|to|lautet)[ \t]{1,2})?/y;
/** `password: >-` and the line below it, as YAML has long values. */
const FOLDED = /[>|][+-]?[ \t]{0,4}(?:\r?\n|\\+n)([ \t]{1,32})/y;
const MORE_FOLDED = /(?:\r?\n|\\+n)[ \t]{1,32}[A-Za-z0-9+/=_.-]{8,512}(?=$|\s|\\|")/y;
/** `password    …`, as `vault kv get` prints what it has: a name and its value, alone on a line. */
const COLUMN = /[ \t]{2,40}(?=[^\s"'`|\\]{6,256}(?:$|[ \t]{0,40}(?:\r?\n|\\+n|")))/y;
const ALONE = /(?:^|\n|\\n)[ \t]{0,8}[\w.-]{1,64}$/;
const LOGIN = /login[ \t]{1,4}\S{1,48}[ \t]{1,4}password$/;
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;
const SETTING = /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/;
const EQUALS = 61;
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
  const hasBars = text.includes("|");
  let hasTable = false;
  NAME_WORD.lastIndex = 0;
  for (let match = NAME_WORD.exec(text); match; match = NAME_WORD.exec(text)) {
    const wordEnd = match.index + match[0].length;
    hasTable ||= hasBars && isBesideBar(text, match.index, wordEnd);
    const sign = signAfter(text, wordEnd);
    if (!sign) continue;
    namesSome ||= OPENS_STRING.has(text[sign.valueAt] ?? "");
    const span = assignmentAt(text, sign);
    if (!span) continue;
    spans.push(span);
    NAME_WORD.lastIndex = span.end;
  }
  for (const span of findHeaders(text)) spans.push(span);
  for (const span of findCommandPasswords(text)) spans.push(span);
  for (const span of findPiped(text)) spans.push(span);
  for (const span of findTyped(text)) spans.push(span);
  for (const span of findPgpass(text)) spans.push(span);
  if (hasTable) for (const span of findTables(text)) spans.push(span);
  return { spans, namesSome };
}

function assignmentAt(text: string, { nameEnd, valueAt }: Sign): Span | undefined {
  const before = text.slice(Math.max(0, nameEnd - LONGEST_NAME), nameEnd);
  const name = NAME_BEFORE.exec(before)?.[0] ?? "";
  // What stands for a removed secret is called like one.
  if (before.slice(0, before.length - name.length).endsWith("[REDACTED:")) return undefined;
  const isTight = text.charCodeAt(nameEnd) === EQUALS;
  const isVariable = isTight && VARIABLE.test(name) && isSecretVariable(name);
  if (!isVariable && !isSecretName(name) && !PASS_FLAG.test(name)) return undefined;
  const isPassword = isPasswordName(name);
  const isSetting = isPassword && (isTight ? name.startsWith("--") : SETTING.test(name));
  const surest = isVariable ? "environment" : isSetting ? "setting" : undefined;
  QUOTED.lastIndex = valueAt;
  const quoted = QUOTED.exec(text);
  if (quoted) {
    const [whole, slashes = "", , value = ""] = quoted;
    const end = valueAt + whole.length - slashes.length - 1;
    if (!isCredential(value, surest ?? "quoted", isPassword)) return undefined;
    return { start: end - value.length, end, kind: "credential" };
  }
  FOLDED.lastIndex = valueAt;
  const isFolded = FOLDED.test(text);
  const isParameter = IN_ADDRESS.test(before.slice(0, before.length - name.length));
  const how = { place: surest ?? "bare", isPassword, isParameter } as const;
  const bare = bareAt(text, isFolded ? FOLDED.lastIndex : valueAt, how);
  return bare && isFolded ? { ...bare, end: endOfFolded(text, bare.end) } : bare;
}

/** A long value is folded into several lines. */
function endOfFolded(text: string, from: number): number {
  let end = from;
  for (;;) {
    MORE_FOLDED.lastIndex = end;
    if (!MORE_FOLDED.test(text)) return end;
    end = MORE_FOLDED.lastIndex;
  }
}

interface Bare {
  readonly place: CredentialContext;
  readonly isPassword: boolean;
  readonly isParameter: boolean;
}

function bareAt(
  text: string,
  start: number,
  { place, isPassword, isParameter }: Bare,
): Span | undefined {
  BARE.lastIndex = start;
  const bare = BARE.exec(text)?.[0] ?? "";
  // A call or a list is code.
  if ("([{".includes(text[start + bare.length] ?? " ")) return undefined;
  const ends = isParameter ? JOINS : ENDS_BARE;
  const cut = bare.search(ends);
  const value = cut < 0 ? bare : bare.slice(0, cut);
  // A sign between two words makes no secret of them.
  const isSecret = [value, value.replace(JOINS, "")].every((one) =>
    isCredential(one, place, isPassword),
  );
  if (!isSecret) return undefined;
  const valueEnd = start + value.length;
  if (cut >= 0) return { start, end: valueEnd, kind: "credential" };
  const rest = text.slice(valueEnd, endOf(REST_OF_BARE, text, valueEnd));
  const more = rest.search(ends);
  return { start, end: valueEnd + (more < 0 ? rest.length : more), kind: "credential" };
}

/** Where the value of a name would stand, if something says that it has one. */
function signAfter(text: string, wordEnd: number): Sign | undefined {
  SIGN.lastIndex = wordEnd;
  const sign = SIGN.exec(text);
  if (sign) return { nameEnd: wordEnd + (sign[1] ?? "").length, valueAt: SIGN.lastIndex };
  if (ENDS_NAME.has(text[wordEnd] ?? "")) return pairAfter(text, wordEnd);
  FLAG_SIGN.lastIndex = wordEnd;
  if (!FLAG_SIGN.test(text)) return undefined;
  const before = text.slice(Math.max(0, wordEnd - LONGEST_NAME), wordEnd);
  if (FLAG.test(before) || SET.test(before))
    return { nameEnd: wordEnd, valueAt: FLAG_SIGN.lastIndex };
  COLUMN.lastIndex = wordEnd;
  if (COLUMN.test(text) && ALONE.test(before))
    return { nameEnd: wordEnd, valueAt: COLUMN.lastIndex };
  WORD_SIGN.lastIndex = wordEnd;
  if (!/pass/i.test(before.slice(-10)) || !WORD_SIGN.test(text)) return undefined;
  // `machine … login … password …`, and what people tell an agent.
  const isSaid = /[A-Za-z]/.test(text.slice(wordEnd, WORD_SIGN.lastIndex)) || LOGIN.test(before);
  return isSaid ? { nameEnd: wordEnd, valueAt: WORD_SIGN.lastIndex } : undefined;
}

/** A name and its value that stand in two places, as in XML. */
function pairAfter(text: string, wordEnd: number): Sign | undefined {
  const isElement = text[wordEnd] === ">";
  const between = isElement ? ELEMENT : PAIR;
  between.lastIndex = wordEnd;
  if (!between.test(text)) return undefined;
  const valueAt = between.lastIndex;
  const before = text.slice(Math.max(0, wordEnd - 2 * LONGEST_NAME), wordEnd);
  return (isElement ? OPENED : CALLED).test(before) ? { nameEnd: wordEnd, valueAt } : undefined;
}

function endOf(rest: RegExp, text: string, at: number): number {
  rest.lastIndex = at;
  rest.test(text);
  return rest.lastIndex;
}
