import type { Paint } from "../text/background.ts";
import { visibleWidth } from "../text/width.ts";
import { wrapTextWithAnsi } from "../text/wrap.ts";
import type { Block, ListItem } from "./block.ts";
import type { MarkdownTheme } from "./markdown-theme.ts";
import { renderInline } from "./render-inline.ts";
import { renderTable } from "./render-table.ts";

const MAX_RULE_WIDTH = 80;

/** Draws blocks below each other. `base` paints text that has no style of its own. */
export function renderBlocks(
  blocks: readonly Block[],
  width: number,
  theme: MarkdownTheme,
  base: Paint,
): string[] {
  return belowEachOther(blocks, (block) => renderBlock(block, width, theme, base));
}

function belowEachOther(blocks: readonly Block[], render: (block: Block) => string[]): string[] {
  const lines: string[] = [];
  let previous: Block | undefined;
  for (const block of blocks) {
    if (previous && (block.afterBlank || wantsGap(previous, block))) lines.push("");
    lines.push(...render(block));
    previous = block;
  }
  return lines;
}

/** A list may follow its introduction directly, and text may follow a list. */
function wantsGap(previous: Block, next: Block): boolean {
  if (previous.kind === "list") return false;
  return !(previous.kind === "paragraph" && next.kind === "list");
}

function renderBlock(block: Block, width: number, theme: MarkdownTheme, base: Paint): string[] {
  switch (block.kind) {
    case "heading":
      return renderHeading(block.level, block.text, width, theme);
    case "paragraph":
      return wrapTextWithAnsi(renderInline(block.text, theme, base), width);
    case "code":
      return renderCode(block.lang, block.text, width, theme);
    case "quote":
      return renderQuote(block.blocks, width, theme);
    case "list":
      return block.items.flatMap((item, index) => {
        const bullet = block.start === undefined ? "- " : `${block.start + index}. `;
        return renderItem(item, bullet, width, theme, base);
      });
    case "table":
      return renderTable(block.rows, width, theme, base);
    case "rule":
      return [theme.hr("─".repeat(Math.min(width, MAX_RULE_WIDTH)))];
  }
}

/** The two top levels are told by their look; the others keep their signs. */
function renderHeading(level: number, text: string, width: number, theme: MarkdownTheme): string[] {
  const paint: Paint = (part) => {
    const bold = theme.bold(level === 1 ? theme.underline(part) : part);
    return theme.heading(bold);
  };
  const prefix = level >= 3 ? paint(`${"#".repeat(level)} `) : "";
  return wrapTextWithAnsi(prefix + renderInline(text, theme, paint), width);
}

function renderCode(lang: string, text: string, width: number, theme: MarkdownTheme): string[] {
  const indent = theme.codeBlockIndent ?? "  ";
  const code = theme.highlightCode
    ? theme.highlightCode(text, lang || undefined)
    : text.split("\n").map(theme.codeBlock);
  const border = (content: string) => wrapTextWithAnsi(theme.codeBlockBorder(content), width);
  return [
    ...border(`\`\`\`${lang}`),
    ...code.flatMap((line) => prefixed(line, width, indent, indent)),
    ...border("```"),
  ];
}

function renderQuote(blocks: readonly Block[], width: number, theme: MarkdownTheme): string[] {
  const paint: Paint = (text) => theme.quote(theme.italic(text));
  const border = theme.quoteBorder("│ ");
  const lines = renderBlocks(blocks, Math.max(1, width - 2), theme, paint);
  return lines.map((line) => border + line);
}

function renderItem(
  item: ListItem,
  bullet: string,
  width: number,
  theme: MarkdownTheme,
  base: Paint,
): string[] {
  const task = item.checked === undefined ? "" : `[${item.checked ? "x" : " "}] `;
  const marker = bullet + task;
  const [opening, ...others] = item.blocks;
  if (!opening) return [theme.listBullet(marker)];
  const inBlock = (block: Block, indent: string) =>
    renderBlock(block, Math.max(1, width - indent.length), theme, base).map((line) =>
      line ? indent + line : "",
    );
  const indent = " ".repeat(marker.length);
  const lines = belowEachOther(others, (block) =>
    inBlock(block, block.kind === "list" ? NESTED : indent),
  );
  const [first = "", ...rest] = inBlock(opening, indent);
  const gap = others[0] && (others[0].afterBlank || wantsGap(opening, others[0])) ? [""] : [];
  return [theme.listBullet(marker) + first.slice(indent.length), ...rest, ...gap, ...lines];
}

/** A list in a list stands this far in, whatever the marker of its item is. */
const NESTED = "    ";

function prefixed(line: string, width: number, first: string, others: string): string[] {
  const inner = Math.max(1, width - visibleWidth(first));
  return wrapTextWithAnsi(line, inner).map((part, index) => (index === 0 ? first : others) + part);
}
