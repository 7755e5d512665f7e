import { isPlaceholder } from "./placeholders.ts";
import type { Doubt, Span } from "./span.ts";

const KIND = "url-credentials";
/** Slashes may be escaped, in JSON inside a text. The last @ before the path ends the credentials. */
const USER_AND_PASSWORD =
  /:(?:\\*\/){2}([^\s/@:"'`<>\\[\]{}|]{0,256}):([^\s/"'`<>]{1,512})@(?=[A-Za-z0-9[%{$_-])/g;
/** `https://token@host`: a user name has no twenty letters and digits. */
const TOKEN_ALONE = /:(?:\\*\/){2}([A-Za-z0-9_~.-]{20,512})@(?=[A-Za-z0-9[])/g;
/** The driver of Go's database/sql: no scheme, but a protocol in front of the host. */
const WITH_PROTOCOL = /([\w.-]{1,64}):([^\s/"'`<>@:]{1,256})@(?=(?:tcp|unix)\()/g;
const LONGEST_SCHEME = 32;

/** `scheme://user:password@host`: the user goes too, tokens often stand in its place. */
export function findUrlCredentials(text: string, doubts: Doubt[] = []): Span[] {
  if (!text.includes("@")) return [];
  const spans: Span[] = [];
  for (const { index, 0: whole, 1: user = "", 2: password = "" } of text.matchAll(
    USER_AND_PASSWORD,
  )) {
    const end = index + whole.length - 1;
    if (!hasScheme(text, index) || isHarmless(user, password)) {
      doubts.push({ start: index, end });
      continue;
    }
    spans.push({ start: end - password.length - 1 - user.length, end, kind: KIND });
  }
  for (const { index, 0: whole, 1: token = "" } of text.matchAll(TOKEN_ALONE)) {
    if (!hasScheme(text, index) || !/\d/.test(token) || isPlaceholder(token)) continue;
    const end = index + whole.length - 1;
    spans.push({ start: end - token.length, end, kind: KIND });
  }
  const hasProtocol = text.includes("@tcp(") || text.includes("@unix(");
  for (const { index, 0: whole, 2: password = "" } of hasProtocol
    ? text.matchAll(WITH_PROTOCOL)
    : []) {
    if (isPlaceholder(password)) continue;
    const end = index + whole.length - 1;
    spans.push({ start: end - password.length, end, kind: KIND });
  }
  return spans;
}

function hasScheme(text: string, at: number): boolean {
  return /[A-Za-z][A-Za-z0-9+.-]*$/.test(text.slice(Math.max(0, at - LONGEST_SCHEME), at));
}

/** With these words as the password, the user name is the secret. */
function isHarmless(user: string, password: string): boolean {
  if (password === "x-oauth-basic" || password === "x-access-token") return isPlaceholder(user);
  return isPlaceholder(password);
}
