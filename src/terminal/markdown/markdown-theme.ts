import type { Paint } from "../text/background.ts";

/** How each part of a Markdown text is painted. */
export interface MarkdownTheme {
  heading: Paint;
  link: Paint;
  linkUrl: Paint;
  code: Paint;
  codeBlock: Paint;
  codeBlockBorder: Paint;
  quote: Paint;
  quoteBorder: Paint;
  hr: Paint;
  listBullet: Paint;
  bold: Paint;
  italic: Paint;
  strikethrough: Paint;
  underline: Paint;
  /** Colours a code block; returns its lines. */
  highlightCode?: (code: string, lang?: string) => string[];
  /** What stands before each line of a code block; two spaces unless set. */
  codeBlockIndent?: string;
}

/** How text looks that Markdown says nothing about. */
export interface DefaultTextStyle {
  color?: Paint;
  bgColor?: Paint;
  bold?: boolean;
  italic?: boolean;
  strikethrough?: boolean;
  underline?: boolean;
}
