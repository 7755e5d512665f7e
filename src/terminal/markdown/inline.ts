/** A stretch of text with the styles that apply to it. */
export interface Span {
  readonly text: string;
  readonly styles: readonly InlineStyle[];
}
export type InlineStyle = "bold" | "italic" | "strikethrough" | "code" | "link" | "linkUrl";

const MAX_DEPTH = 8;
/** How far ahead the end of a styled stretch is looked for; without it, time grows by the square. */
const MAX_STRETCH = 4000;

/** Where something other than plain text may begin. */
const SPECIAL = /[\\`*_~[!<\n]|https?:\/\//;
const LINK =
  /^!?\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\(\s*<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/;
const AUTOLINK = /^<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+)>/i;
const BARE_URL = /^https?:\/\/[^\s<>]*[^\s<>.,;:!?'")\]*_~]/;
const ESCAPED = /^\\([!-/:-@[-`{-~])/;

/** The signs around styled text; longer ones first, since `**` begins with `*`. */
const MARKS: readonly (readonly [mark: string, styles: readonly InlineStyle[]])[] = [
  ["***", ["bold", "italic"]],
  ["**", ["bold"]],
  ["__", ["bold"]],
  ["~~", ["strikethrough"]],
  ["*", ["italic"]],
  ["_", ["italic"]],
];

/** Reads inline Markdown. A sign without its counterpart stays text. */
export function parseInline(text: string): Span[] {
  const spans: Span[] = [];
  read(text, [], 0, spans);
  return spans;
}

function read(text: string, styles: readonly InlineStyle[], depth: number, out: Span[]): void {
  let plain = "";
  const flush = () => {
    if (plain) out.push({ text: plain, styles });
    plain = "";
  };
  for (let rest = text, before = ""; rest !== ""; ) {
    const at = rest.search(SPECIAL);
    if (at !== 0) {
      const skipped = at === -1 ? rest : rest.slice(0, at);
      plain += skipped;
      before = skipped.slice(-1);
      rest = rest.slice(skipped.length);
      continue;
    }
    const token = tokenAt(rest, before);
    if (token.text !== undefined) plain += token.text;
    else {
      flush();
      const inner = [...styles, ...token.styles];
      if (token.verbatim || depth >= MAX_DEPTH) out.push({ text: token.inner, styles: inner });
      else read(token.inner, inner, depth + 1, out);
      if (token.url) out.push({ text: ` (${token.url})`, styles: [...styles, "linkUrl"] });
    }
    before = rest.charAt(token.length - 1);
    rest = rest.slice(token.length);
  }
  flush();
}

interface Plain {
  readonly text: string;
  readonly length: number;
}
interface Styled {
  readonly text?: undefined;
  readonly inner: string;
  readonly styles: readonly InlineStyle[];
  readonly verbatim: boolean;
  readonly url?: string;
  readonly length: number;
}

function tokenAt(rest: string, before: string): Plain | Styled {
  const near = rest.slice(0, MAX_STRETCH);
  const token =
    escaped(near) ?? lineBreak(near) ?? codeSpan(near) ?? link(near) ?? emphasis(near, before);
  return token ?? { text: rest.charAt(0), length: 1 };
}

function escaped(rest: string): Plain | undefined {
  if (rest.startsWith("\\\n")) return { text: "\n", length: 2 };
  const char = ESCAPED.exec(rest)?.[1];
  return char ? { text: char, length: 2 } : undefined;
}

/** Lines stay where the author broke them: terminal messages are written with that in mind. */
function lineBreak(rest: string): Plain | undefined {
  return rest.startsWith("\n") ? { text: "\n", length: 1 } : undefined;
}

function codeSpan(rest: string): Styled | undefined {
  const ticks = /^`+/.exec(rest)?.[0];
  if (!ticks) return undefined;
  const close = new RegExp(`(?<!\`)${ticks}(?!\`)`).exec(rest.slice(ticks.length));
  if (!close) return undefined;
  const raw = rest.slice(ticks.length, ticks.length + close.index).replaceAll("\n", " ");
  const inner = /^ .*\S.* $/.test(raw) ? raw.slice(1, -1) : raw;
  const length = ticks.length * 2 + close.index;
  return { inner, styles: ["code"], verbatim: true, length };
}

function link(rest: string): Styled | undefined {
  const auto = AUTOLINK.exec(rest);
  if (auto)
    return { inner: auto[1] ?? "", styles: ["link"], verbatim: true, length: auto[0].length };
  const bare = BARE_URL.exec(rest)?.[0];
  if (bare) return { inner: bare, styles: ["link"], verbatim: true, length: bare.length };
  const match = LINK.exec(rest);
  if (!match) return undefined;
  const [whole, label = "", url = ""] = match;
  // A link whose text is its address would show it twice; a picture's address says little.
  const same = url === label || url === `mailto:${label}` || url === "" || whole.startsWith("!");
  const shown = label || url;
  return {
    inner: shown,
    styles: ["link"],
    verbatim: same,
    ...(same || !label ? {} : { url }),
    length: whole.length,
  };
}

function emphasis(rest: string, before: string): Styled | undefined {
  for (const [mark, styles] of MARKS) {
    if (!rest.startsWith(mark) || /\s|^$/.test(rest.charAt(mark.length))) continue;
    // Inside a word an underscore is part of a name: snake_case.
    const inWord = mark.startsWith("_");
    if (inWord && /\w/.test(before)) continue;
    const end = closing(rest, mark, inWord);
    if (end === undefined) continue;
    const inner = rest.slice(mark.length, end);
    return { inner, styles, verbatim: false, length: end + mark.length };
  }
  return undefined;
}

/** Where the mark ends again: after a character that is no space, and not inside a longer mark. */
function closing(rest: string, mark: string, inWord: boolean): number | undefined {
  const char = mark.charAt(0);
  for (let at = rest.indexOf(mark, mark.length + 1); at !== -1; ) {
    let run = at;
    while (rest.charAt(run) === char) run++;
    const after = rest.charAt(run);
    const fits = mark.length === 1 ? run - at !== 2 : true;
    const free = !/\s|\\/.test(rest.charAt(at - 1)) && !(inWord && /\w/.test(after));
    // In "**a *b***" the last two of the three stars close the outer mark.
    if (fits && free) return run - mark.length;
    at = rest.indexOf(mark, run);
  }
  return undefined;
}
