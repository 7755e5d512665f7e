import { COMMAND_GROUPS } from "./command-list.ts";

const EXAMPLES = ["seam demo", "seam enable", "seam log", "seam ext new my-gate"];
const INDENT = "  ";

/** What `seam --help` prints. It loads no command, so that it is there at once. */
export function helpText(width: number): string {
  const entries = Object.values(COMMAND_GROUPS).flat();
  const names = Math.max(...entries.map(({ name }) => name.length), "--version".length) + 2;
  const row = (name: string, text: string) => INDENT + name.padEnd(names) + text;
  const groups = Object.entries(COMMAND_GROUPS).flatMap(([title, commands]) => [
    `${title}:`,
    ...commands.map(({ name, summary }) => row(name, summary)),
    "",
  ]);
  const lines = [
    "Usage: seam <command> [options]",
    "",
    "Watch, gate and record your coding agents. What one command can do is in",
    "seam <command> --help.",
    "",
    ...groups,
    "Options:",
    row("--version", "print the version; also -V"),
    row("--help", "print this help; also -h, and seam help <command>"),
    "",
    "Examples:",
    ...EXAMPLES.map((example) => INDENT + example),
  ];
  return `${wrapHelp(lines.join("\n"), width)}\n`;
}

/**
 * Breaks lines that are too long between words. What follows stands below the text, not below the
 * name in front of it. An example stays in one piece, so that it can be copied. Lines of one
 * paragraph are filled anew where one of them is too long.
 */
export function wrapHelp(text: string, width: number): string {
  return paragraphsOf(text.split("\n"))
    .flatMap((lines) =>
      lines.every((line) => line.length <= width) ? lines : wrapLine(lines.join(" "), width),
    )
    .join("\n");
}

/** Lines that begin at the margin and follow one another are a paragraph; any other stands alone. */
function paragraphsOf(lines: readonly string[]): string[][] {
  const paragraphs: string[][] = [];
  let isOpen = false;
  for (const line of lines) {
    const isText = /^\S/.test(line);
    if (isText && isOpen) paragraphs.at(-1)?.push(line);
    else paragraphs.push([line]);
    isOpen = isText;
  }
  return paragraphs;
}

function wrapLine(line: string, width: number): string[] {
  if (line.length <= width || /^ {2}seam \S+( \S+)*$/.test(line)) return [line];
  const column =
    /^(\s*\S.*?\s{2,})\S/.exec(line)?.[1]?.length ?? /^\s*/.exec(line)?.[0].length ?? 0;
  // Where names take most of a narrow terminal, texts begin further left.
  const hang = " ".repeat(column < width / 2 ? column : 4);
  const lines: string[] = [];
  let current = line.slice(0, column);
  let isEmpty = true;
  for (const word of line.slice(column).split(/\s+/)) {
    const longer = isEmpty ? current + word : `${current} ${word}`;
    if (!isEmpty && longer.length > width) {
      lines.push(current.trimEnd());
      current = hang + word;
    } else current = longer;
    isEmpty = false;
  }
  return [...lines, current];
}
