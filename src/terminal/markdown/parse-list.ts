const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:( {1,4})(?! )(.*)|( {5,})(.*)|[ ]*)$/;
const TASK = /^\[([ xX])\] +/;

interface RawItem {
  readonly checked: boolean | undefined;
  readonly lines: readonly string[];
}

interface RawList {
  readonly start: number | undefined;
  readonly items: readonly RawItem[];
  /** How many lines of the source belong to the list. */
  readonly taken: number;
}

export function isListStart(line: string): boolean {
  return ITEM.test(line);
}

/**
 * Cuts a list into its items and each item's own lines, without their indentation.
 * `startsBlock` tells which lines can not be the continuation of an item's paragraph.
 */
export function parseList(
  lines: readonly string[],
  startsBlock: (line: string) => boolean,
): RawList {
  const bullet = bulletOf(lines[0] ?? "");
  const items: { checked: boolean | undefined; lines: string[] }[] = [];
  let indent = 0;
  let at = 0;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const current = items.at(-1);
    if (current && indentOf(line) >= indent && line.trim() !== "") {
      current.lines.push(line.slice(indent));
    } else if (bulletOf(line) === bullet) {
      const item = openItem(line);
      indent = item.indent;
      items.push({ checked: item.checked, lines: [item.text] });
    } else if (current && line.trim() === "") {
      if (!continues(lines.slice(at + 1), indent, bullet)) break;
      current.lines.push("");
    } else if (current && lines[at - 1]?.trim() !== "" && !startsBlock(line)) {
      current.lines.push(line.trimStart());
    } else break;
  }
  const number = /\d+/.exec(lines[0] ?? "");
  const ordered = bullet === "." || bullet === ")";
  return { start: ordered ? Number(number?.[0] ?? 1) : undefined, items, taken: at };
}

/** Items belong together while they use the same sign: `-`, `*`, `+`, `1.` or `1)`. */
function bulletOf(line: string): string | undefined {
  return ITEM.exec(line)?.[2]?.slice(-1);
}

function openItem(line: string): { text: string; indent: number; checked: boolean | undefined } {
  const [, lead = "", , , near, far, code] = ITEM.exec(line) ?? [];
  const text = near ?? (code === undefined ? "" : (far ?? "").slice(1) + code);
  const task = TASK.exec(text);
  return {
    text: task ? text.slice(task[0].length) : text,
    checked: task ? task[1] !== " " : undefined,
    // Two columns are enough to nest, also under a number, where strict Markdown asks for three:
    // models write it that way.
    indent: lead.length + 2,
  };
}

/** After empty lines a list goes on with an indented line or another item. */
function continues(rest: readonly string[], indent: number, bullet: string | undefined): boolean {
  const next = rest.find((line) => line.trim() !== "");
  return next !== undefined && (indentOf(next) >= indent || bulletOf(next) === bullet);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
