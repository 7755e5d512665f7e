import type { Block } from "./block.ts";
import { isListStart, parseList } from "./parse-list.ts";

const HEADING = /^ {0,3}(#{1,6})(?: +(.*))?$/;
const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*([^`\s]*)[^`]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const QUOTE = /^ {0,3}> ?/;

/** Quotes and lists nested deeper than this are kept as plain text. */
const MAX_DEPTH = 12;

/** Reads the blocks of a Markdown text. Every text is valid: what is no block is a paragraph. */
export function parseBlocks(text: string): Block[] {
  return parseLines(text.replace(/\r\n?/g, "\n").replaceAll("\t", "    ").split("\n"), 0);
}

/** A block, and the number of lines it took. */
type Parsed = readonly [block: Block, lines: number];

function parseLines(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let afterBlank = false;
  for (let at = 0; at < lines.length; ) {
    if (isBlank(lines[at])) {
      afterBlank = blocks.length > 0;
      at++;
      continue;
    }
    const [block, taken] = parseBlock(lines.slice(at), afterBlank, depth);
    blocks.push(block);
    at += taken;
    afterBlank = false;
  }
  return blocks;
}

function parseBlock(lines: readonly string[], afterBlank: boolean, depth: number): Parsed {
  const first = lines[0] ?? "";
  const heading = HEADING.exec(first);
  if (heading) {
    const level = heading[1]?.length ?? 1;
    return [{ kind: "heading", level, text: headingText(heading[2] ?? ""), afterBlank }, 1];
  }
  if (RULE.test(first)) return [{ kind: "rule", afterBlank }, 1];
  if (FENCE.test(first)) return parseFence(lines, afterBlank);
  if (isTableStart(lines)) {
    const { rows, taken } = parseTable(lines);
    return [{ kind: "table", rows, afterBlank }, taken];
  }
  if (depth < MAX_DEPTH && QUOTE.test(first)) return parseQuote(lines, afterBlank, depth);
  if (depth < MAX_DEPTH && isListStart(first)) {
    const { start, items, taken } = parseList(lines, (line) => startsBlock(line));
    const parsed = items.map(({ checked, lines: content }) => ({
      ...(checked === undefined ? {} : { checked }),
      blocks: parseLines(content, depth + 1),
    }));
    return [{ kind: "list", start, items: parsed, afterBlank }, taken];
  }
  return parseParagraph(lines, afterBlank);
}

function parseFence(lines: readonly string[], afterBlank: boolean): Parsed {
  const [, indent = "", fence = "", lang = ""] = FENCE.exec(lines[0] ?? "") ?? [];
  const close = new RegExp(`^ {0,3}\\${fence.charAt(0)}{${fence.length},}[ ]*$`);
  // A fence that is never closed runs to the end: half of a message that is still arriving.
  const found = lines.findIndex((line, index) => index > 0 && close.test(line));
  const end = found === -1 ? lines.length : found;
  const outdent = new RegExp(`^ {0,${indent.length}}`);
  const text = lines.slice(1, end).map((line) => line.replace(outdent, ""));
  return [{ kind: "code", lang, text: text.join("\n"), afterBlank }, found === -1 ? end : end + 1];
}

function parseQuote(lines: readonly string[], afterBlank: boolean, depth: number): Parsed {
  const end = lines.findIndex(
    (line, index) => !QUOTE.test(line) && (isBlank(lines[index]) || startsBlock(line)),
  );
  const taken = end === -1 ? lines.length : end;
  const content = lines.slice(0, taken).map((line) => line.replace(QUOTE, ""));
  return [{ kind: "quote", blocks: parseLines(content, depth + 1), afterBlank }, taken];
}

function parseParagraph(lines: readonly string[], afterBlank: boolean): Parsed {
  const end = lines.findIndex(
    (line, index) =>
      index > 0 &&
      (isBlank(line) || startsBlock(line) || isTableStart(lines.slice(index, index + 2))),
  );
  const taken = end === -1 ? lines.length : end;
  const text = lines.slice(0, taken).map((line) => line.trim());
  return [{ kind: "paragraph", text: text.join("\n"), afterBlank }, taken];
}

/** A heading may be closed with the signs it was opened with. */
function headingText(text: string): string {
  return ` ${text.trim()}`.replace(/ #+$/, "").trim();
}

function startsBlock(line: string): boolean {
  return (
    HEADING.test(line) ||
    RULE.test(line) ||
    FENCE.test(line) ||
    QUOTE.test(line) ||
    isListStart(line)
  );
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

const DELIMITER = /^ {0,3}\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?[ ]*$/;

/** A table begins with a row of cells and a row of dashes with as many columns. */
function isTableStart(lines: readonly string[]): boolean {
  const [head = "", rule = ""] = lines;
  if (!head.includes("|") || !DELIMITER.test(rule)) return false;
  return cellsOf(head).length === cellsOf(rule).length;
}

/** The header and the rows below it, each with as many cells as the header. */
function parseTable(lines: readonly string[]): { rows: string[][]; taken: number } {
  const header = cellsOf(lines[0] ?? "");
  const end = lines.findIndex((line, index) => index > 1 && !line.includes("|"));
  const taken = end === -1 ? lines.length : end;
  const body = lines.slice(2, taken).map((line) => {
    const cells = cellsOf(line);
    return header.map((_, column) => cells[column] ?? "");
  });
  return { rows: [header, ...body], taken };
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}
