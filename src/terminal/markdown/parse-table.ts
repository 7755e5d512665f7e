const DELIMITER = /^ {0,3}\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?[ ]*$/;

/** A table begins with a row of cells and a row of dashes with as many columns. */
export function isTableStart(lines: readonly string[]): boolean {
  const [head = "", rule = ""] = lines;
  if (!head.includes("|") || !DELIMITER.test(rule)) return false;
  return cellsOf(head).length === cellsOf(rule).length;
}

/** The header and the rows below it, each with as many cells as the header. */
export function parseTable(lines: readonly string[]): { rows: string[][]; taken: number } {
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
