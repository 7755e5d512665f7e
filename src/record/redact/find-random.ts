import { decodedText, WRAPPED } from "./base64.ts";
import { endsColour } from "./colours.ts";
import type { Span } from "./span.ts";

const SHORTEST = 20;
/** Longer ones are data: pictures, certificates, compressed text. Keys of that length have a shape. */
const LONGEST = 120;
/** In bits per character: less is a pattern that repeats. */
const LEAST_ENTROPY = 3.4;
const TOKEN = /[A-Za-z0-9_+/-]{20,}={0,2}/g;
/** Hashes and data say what they are right before them. */
const NAMED_BEFORE =
  /(?:(?:sha-?\d{1,3}|md5|sec-websocket-(?:key|accept))\w*|h1|integrity|checksum|etag|base64|ssh-[a-z0-9-]+|nonce)(?:(?:\.\w{1,16})?\()?(?:["']|&quot;)?[-:=, ]{0,3}(?:["']|&quot;)?$/i;
/** So do ids: `id="…"`, `nanoid.parse("…")`, `requestId: …`. A secret may be one by name. */
const ID_BEFORE =
  /(?:^|[^A-Za-z])(?:[A-Za-z]{0,16}[_-])?(?:id|uuid|guid|(?:nanoid|ksuid|ulid|cuid2?|xid)[A-Za-z0-9]{0,16})(?:\.\w{1,16}\(|["']?[ \t]?[:=][ \t]?)(?:["']|&quot;)?$|[a-z](?:Id|ID|Uuid|UUID)["']?[ \t]?[:=][ \t]?["']?$/;
const SECRET_ID = /secret[-_]?id|session[-_]?id|sid\b/i;
/** How agents and models name their messages and calls. */
const AGENT_ID =
  /^(?:toolu|srvtoolu|msg|call|fc|ctc|rs|ws|resp|req|ses|prt|per|run|step|item|chatcmpl|ft|ftjob|ftckpt|cp|vs|org|proj|user|conv|eval|evalrun|video|cmpl|gen|file|batch|thread|asst|session|agent|cache|evt)[-_]/;
const HASH = /^(?:sha-?\d{1,3}|md5|h1)[-:_=]/i;
const UUID = /[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}/;

/** The path of an SVG: commands with numbers. */
const DRAWING = /^[MLHVCSQTAZmlhvcsqtaz\d-]+$/;

/** Hashes and numbers as parts of a name: `__wbg_drawImage_fede06db74e39a60`. */
const HEX_PARTS =
  /(?:^|[-_/])(?:0x[0-9A-Fa-f]+[a-zA-Z]*|[0-9a-f]{8,}|[0-9A-F]{8,}|\d+(?:e-?\d+)?)(?=$|[-_/])/g;
/** Names that have their number: `ChaCha20Poly1305`, `UnsignedInt128AsBase16`. */
const NUMBERED = /(?:int|float|base|utf|sha|aes|rsa|rc|mgf|md|des|chacha|poly|xxh)-?\d+|\d+bit/gi;
const RANGES = /(?:0-9|a-[fz]|A-[FZ]).*(?:0-9|a-[fz]|A-[FZ]|[a-z]-z|[A-Z]-Z)/;
const WORDS = /[A-Z]?[a-z]{3,}|[A-Z]{4,}(?![a-z])/g;
const DIGIT_CHANGES = /[A-Za-z](?=\d)|\d(?=[A-Za-z])/g;

/**
 * Tokens in one run of the text that no person wrote and no name explains. `named` gets those that
 * look like it and are called a hash or an id: what is one in one place is one everywhere.
 */
export function findRandom(
  text: string,
  start: number,
  end: number,
  named = new Set<string>(),
): Span[] {
  const run = text.slice(start, end);
  // What an address points to is public; its parameters and its user are not part of the run.
  if (run.includes("://")) return [];
  const spans: Span[] = [];
  for (const match of run.matchAll(TOKEN)) {
    const at = start + match.index;
    const token = withoutEscape(text, at, match[0]);
    // `./chunk-Bl4n2Xq9.js`
    const isRelative = token.startsWith("/") && text[at - 1] === ".";
    if (isRelative || !isRandom(token)) continue;
    const from = at + match[0].length - token.length;
    if (isNamed(text.slice(Math.max(0, from - 48), from))) {
      named.add(token);
      continue;
    }
    if (isText(token)) continue;
    spans.push({ start: from, end: at + match[0].length, kind: "random" });
  }
  return spans;
}

/** Text in base64 is searched as the text it is, unless it is one line of more. */
function isText(token: string): boolean {
  return !WRAPPED.has(token.length) && decodedText(token) !== undefined;
}

function isNamed(before: string): boolean {
  return NAMED_BEFORE.test(before) || (ID_BEFORE.test(before) && !SECRET_ID.test(before));
}

/** The n of a `\n` before it is no part of a token, nor is the `31m` of a colour. */
function withoutEscape(text: string, at: number, token: string): string {
  if (text[at - 1] === "\\") return token.slice(token.startsWith("u") ? 5 : 1);
  if (text[at - 1] === "%") return token.slice(2);
  if (text[at - 1] !== "[" && text[at - 1] !== ";") return token;
  const colour = /^\d{0,4}[A-Za-z]/.exec(token)?.[0].length ?? 0;
  return colour > 0 && endsColour(text, at + colour) ? token.slice(colour) : token;
}

/**
 * Letters of both cases with digits between them. In names most letters belong to words, and digits
 * come together.
 */
export function isRandom(token: string): boolean {
  if (token.length > LONGEST || !isMixed(token)) return false;
  if (AGENT_ID.test(token) || HASH.test(token) || UUID.test(token)) return false;
  if (token.startsWith("AAAA") || token.includes("EXAMPLE") || isPath(token) || DRAWING.test(token))
    return false;
  const rest = token.replace(HEX_PARTS, "").replace(NUMBERED, "");
  if (!isMixed(rest) || isSequence(rest) || entropy(rest) < LEAST_ENTROPY) return false;
  const inWords = (rest.match(WORDS)?.join("") ?? "").length / rest.length;
  const changes = rest.match(DIGIT_CHANGES)?.length ?? 0;
  return changes >= 3 ? inWords < 0.6 : inWords < 0.35;
}

function isMixed(token: string): boolean {
  return token.length >= SHORTEST && /\d/.test(token) && /[a-z]/.test(token) && /[A-Z]/.test(token);
}

/** Alphabets and ranges of characters: `ABCDEF…`, `0-9A-HJ-Za-h`. */
function isSequence(token: string): boolean {
  if (RANGES.test(token)) return true;
  let steps = 0;
  for (let at = 1; at < token.length; at++) {
    if (Math.abs(token.charCodeAt(at) - token.charCodeAt(at - 1)) === 1) steps++;
  }
  return steps > token.length / 3;
}

/** Folders and file names: some part of it is a word, or it begins at the root: `/tmp/x-k0HH1b`. */
function isPath(token: string): boolean {
  const parts = token.split("/");
  if (parts.length === 1) return false;
  if (parts.some((part) => /^[a-z][a-z_-]{3,}$/.test(part))) return true;
  return /^\/[a-z]{2,}\//.test(token) && parts.every(({ length }) => length < SHORTEST);
}

/** Shannon's, in bits per character. */
function entropy(token: string): number {
  const counts = new Map<string, number>();
  for (const char of token) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / token.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
