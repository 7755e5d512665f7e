import type { Paint } from "../text/background.ts";
import { type InlineStyle, parseInline, type Span } from "./inline.ts";
import type { MarkdownTheme } from "./markdown-theme.ts";

/**
 * Paints inline Markdown. Each stretch of text is painted on its own, with all its styles around
 * it: were they nested, the end of an inner colour would also end the outer one.
 */
export function renderInline(text: string, theme: MarkdownTheme, base: Paint): string {
  return parseInline(text)
    .map((span) => paintSpan(span, theme, base))
    .join("");
}

function paintSpan(span: Span, theme: MarkdownTheme, base: Paint): string {
  const paints = span.styles.map((style) => paintOf(style, theme));
  const paint: Paint = (text) =>
    base(paints.reduceRight((painted, paintWith) => paintWith(painted), text));
  return span.text
    .split("\n")
    .map((line) => (line === "" ? "" : paint(line)))
    .join("\n");
}

function paintOf(style: InlineStyle, theme: MarkdownTheme): Paint {
  return style === "link" ? (text) => theme.link(theme.underline(text)) : theme[style];
}
