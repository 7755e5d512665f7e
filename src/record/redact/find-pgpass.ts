import { isCredential } from "./credential-value.ts";
import type { Span } from "./span.ts";

/** `host:port:database:user:password`, as psql reads it. A colon in a part is written `\:`. */
const ENTRY =
  /(?:(?<![^\s"'`=>])|(?<=\\n))(?:[A-Za-z0-9*][A-Za-z0-9.-]{0,252}|\*):(?:\*|\d{4,5}):(?:\*|[A-Za-z_][\w-]{0,62}):(?:\*|[A-Za-z_][\w.-]{0,62}):((?:[^\s:"'`\\]|\\{1,2}:){4,128})(?![^\s"'`\\])/dg;
const FIRST_PORT = /:(?:\*|\d{4,5}):/;

/** Passwords in lines of `.pgpass`. */
export function findPgpass(text: string): Span[] {
  if (!FIRST_PORT.test(text)) return [];
  const spans: Span[] = [];
  for (const { 1: password = "", indices } of text.matchAll(ENTRY)) {
    const [start = 0, end = 0] = indices?.[1] ?? [];
    if (isCredential(password, "bare", true)) spans.push({ start, end, kind: "credential" });
  }
  return spans;
}
