import { graphemes } from "../text/graphemes.ts";
import { graphemeWidth } from "../text/width.ts";

/** What is drawn with in ASCII. Everything else that is not becomes a question mark. */
const SIGNS: Readonly<Record<string, string>> = {
  "─": "-",
  "│": "|",
  "▌": "|",
  "→": ">",
  "↑": "^",
  "↓": "v",
  "✓": "+",
  "✗": "x",
  "◌": "o",
  "▸": ">",
  "·": "-",
  "•": "*",
  "−": "-",
  "…": ".",
};

/** The same text for a terminal that knows no UTF-8, as wide as it was. */
export function inAscii(text: string): string {
  return text.replace(/[\u0080-\uffff]+/g, (part) =>
    graphemes(part)
      .map(
        (one) =>
          SIGNS[one] ?? (/^[\u2500-\u257f]/.test(one) ? "+" : "?".repeat(graphemeWidth(one))),
      )
      .join(""),
  );
}

/** Whether the locale says outright that there is no UTF-8. One that says nothing is no reason to doubt. */
export function isAsciiLocale(env: NodeJS.ProcessEnv): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  if (/utf-?8/i.test(locale)) return false;
  return locale === "C" || locale === "POSIX" || locale.includes(".");
}
