/** A Markdown table. Cells may contain `|`. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)];
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** Replaces what stands between `<!-- generated:name -->` and `<!-- /generated -->`. */
export function replaceGenerated(page: string, name: string, lines: readonly string[]): string {
  const open = `<!-- generated:${name} -->`;
  const close = "<!-- /generated -->";
  const start = page.indexOf(open);
  const end = page.indexOf(close, start);
  if (start < 0 || end < 0) throw new Error(`There is no place marked ${open} … ${close}.`);
  return `${page.slice(0, start + open.length)}\n${lines.join("\n")}\n${page.slice(end)}`;
}
