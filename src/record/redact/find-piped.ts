import { isPlaceholder } from "./placeholders.ts";
import type { Span } from "./span.ts";

/** A program that takes a password from its input, and the word that says so. */
const READER =
  /^[ \t]{0,4}(?:sudo[ \t](?:.{0,100}[ \t])?-[A-Za-z]{0,4}S(?:[ \t]|$)|(?:sudo[ \t]{1,4})?chpasswd|[\w./-]{1,64}[ \t].{0,200}(?:--[a-z-]{0,20}stdin|-pass(?:in|out)?[ \t]stdin|--with-token))/;
const READ_BY = ["sudo", "chpasswd", "stdin", "--with-token"];

const VALUE = "(\\\\*[\"']|)([^\\s\"'`|;&<>()\\\\]{4,256})";
/** `echo -n secret |`, `printf '%s\n' secret |` */
const ECHOED = new RegExp(
  `(?<![\\w-])(?:echo|printf)[ \\t]{1,4}(?:-[neE]{1,3}[ \\t]{1,4}|\\\\*["']?%s(?:\\\\+n)?\\\\*["']?[ \\t]{1,4})?` +
    `${VALUE}(?:\\\\+n)?\\1[ \\t]{0,4}\\|(?!\\|)`,
  "dg",
);
/** `<<< secret` */
const FED = new RegExp(`<<<[ \\t]{0,4}${VALUE}`, "dg");
/** Where one command ends and the next one begins. */
const BETWEEN = /[\n;|&<>]/;
const LONGEST_COMMAND = 300;
/** `chpasswd` reads names with their passwords. */
const NAMED = /^[a-z_][\w.-]{0,31}\$?:/;
const SHORTEST = 4;

/** Passwords that a shell feeds to a program: `echo secret | sudo -S id`, `sudo -S id <<< secret`. */
export function findPiped(text: string): Span[] {
  if (!READ_BY.some((word) => text.includes(word))) return [];
  const spans: Span[] = [];
  for (const match of text.matchAll(ECHOED)) {
    const end = match.index + match[0].length;
    const [command = ""] = text.slice(end, end + LONGEST_COMMAND).split(BETWEEN);
    if (READER.test(command)) spans.push(...passwordIn(match));
  }
  if (!text.includes("<<<")) return spans;
  for (const match of text.matchAll(FED)) {
    const before = text.slice(Math.max(0, match.index - LONGEST_COMMAND), match.index);
    if (READER.test(before.split(BETWEEN).at(-1) ?? "")) spans.push(...passwordIn(match));
  }
  return spans;
}

function passwordIn({ 2: value = "", indices }: RegExpExecArray): Span[] {
  const [start = 0, end = 0] = indices?.[2] ?? [];
  const name = NAMED.exec(value)?.[0] ?? "";
  const secret = value.slice(name.length);
  if (secret.length < SHORTEST || isPlaceholder(secret)) return [];
  return [{ start: start + name.length, end, kind: "credential" }];
}
