import { posix } from "node:path";
import type { Redirection } from "unbash";
import type { ShellWord } from "./reading.ts";
import { only } from "./wrappers.ts";

/** What `echo` and `printf` print, if all of it stands in the text. */
export function printedBy(
  program: string | undefined,
  args: readonly ShellWord[],
): string | undefined {
  if (program !== "echo" && program !== "printf") return undefined;
  const texts = args.map(only).filter((text) => text !== undefined && !/^-[neE]+$/.test(text));
  if (texts.length === 0 || args.some((word) => only(word) === undefined)) return undefined;
  if (program === "echo") {
    const isRead = args.some((word) => /^-n?e/.test(only(word) ?? ""));
    return isRead ? unescaped(texts.join(" ")) : texts.join(" ");
  }
  const [format = "", ...given] = texts;
  if (!/%[sbq]/.test(format)) return unescaped(texts.join("\n"));
  const values = given.values();
  const once = () => unescaped(format).replace(/%[sbq]/g, () => values.next().value ?? "");
  const holes = format.split(/%[sbq]/).length - 1;
  return Array.from({ length: Math.max(1, Math.ceil(given.length / holes)) }, once).join("");
}

/** What `printf` and `echo -e` make of `\n`, `\t`, `\x2f` and `\057`. */
function unescaped(text: string): string {
  return text.replace(/\\(n|t|x[\da-f]{1,2}|0?[0-7]{1,3})/gi, (_, code: string) => {
    if (code === "n") return "\n";
    if (code === "t") return "\t";
    const value = /^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8);
    return String.fromCharCode(value);
  });
}

/** Programs that print some of the lines they read, or all of them in another order. */
const SIFTS: ReadonlySet<string> = new Set("grep egrep fgrep head rg sort tail uniq".split(" "));

export function sifts(program: string | undefined): boolean {
  return program !== undefined && SIFTS.has(program);
}

/** Programs that print the path they are given, in another form. */
const SAME_PATH: ReadonlySet<string> = new Set(["realpath", "readlink", "grealpath", "greadlink"]);

/** The path that a program prints which was given one. */
export function pathPrintedBy(program: string, args: readonly ShellWord[]): ShellWord | undefined {
  const path = args.filter((word) => !/^-/.test(only(word) ?? "")).at(-1);
  if (!path || SAME_PATH.has(program)) return SAME_PATH.has(program) ? path : undefined;
  if (program !== "dirname") return undefined;
  return { values: path.values.map((each) => posix.dirname(each)), pattern: path.pattern };
}

/** What stands in a text, a name in each line. */
export function linesOf(text: string): ShellWord {
  const values = text.split("\n").filter((line) => line !== "");
  return { values, pattern: false };
}

/** What a command reads that stands in the text itself. */
export function heredocOf(redirects: readonly Redirection[]): string | undefined {
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") return redirect.body.text;
    if (redirect.type === "HereString") return redirect.target?.value;
  }
  return undefined;
}
