import { takeApart } from "./arguments.ts";
import { known, NOT_KNOWN, SHELL_UNKNOWN, type ShellWord } from "./reading.ts";
import { only, unwrap } from "./wrappers.ts";

/** Something that a program starts. */
export type Started =
  | {
      readonly is: "words";
      readonly words: readonly ShellWord[];
      /** Where it runs, if not where the program does. */
      readonly folder?: ShellWord;
    }
  | {
      readonly is: "text";
      readonly text: string;
      /** What `$0`, `$1` and so on stand for in it. */
      readonly given?: readonly ShellWord[];
    }
  | { readonly is: "code"; readonly text: string }
  /** Nobody can say what. */
  | { readonly is: "unknown" };

/** What the program can read. */
interface Input {
  readonly text?: string;
  readonly names?: ShellWord;
  /** Something comes in, known or not. */
  readonly isFed: boolean;
}

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "rbash"]);
/** Options of interpreters that hold a program. */
const CODE: Readonly<Record<string, readonly string[]>> = {
  python: ["-c"],
  node: ["-e", "-p", "--eval", "--print"],
  deno: ["eval"],
  bun: ["-e", "--eval"],
  perl: ["-e", "-E"],
  ruby: ["-e"],
  php: ["-r"],
  lua: ["-e"],
  osascript: ["-e"],
  pwsh: ["-c", "-Command"],
};
const AWK = new Set(["awk", "gawk", "mawk", "nawk"]);

/** Everything that a command starts besides itself. */
export function startedBy(name: string, args: readonly ShellWord[], input: Input): Started[] {
  if (SHELLS.has(name)) return byShell(args, input);
  if (name === "eval") return textsOf(args);
  if (name === "trap") return textsOf(args.slice(0, 1));
  if (name === "alias") return args.flatMap(({ values }) => values.map(aliased));
  if (name === "source" || name === ".") return fromStream(args[0]) ? [{ is: "unknown" }] : [];
  if (name === "su" || name === "runuser" || name === "script") return byOption(args);
  if (name === "find" || name === "fd") return byFind(args);
  if (name === "xargs" || name === "parallel") return byXargs(name, args, input);
  if (AWK.has(name)) return byAwk(args);
  const code = codeIn(name, args, input);
  if (code.length > 0) return code;
  const inner = unwrap(name, args);
  if (!inner) return [];
  if (inner.text) return textsOf(inner.words);
  return [{ is: "words", words: inner.words, ...(inner.folder && { folder: inner.folder }) }];
}

/** Words that become one text, as `eval` joins them. */
function textsOf(words: readonly ShellWord[], given: readonly ShellWord[] = []): Started[] {
  if (words.length === 0) return [];
  const [first] = words;
  // A text that can be several things is taken as each of them.
  const texts = words.length === 1 && first ? first.values : [words.map(plain).join(" ")];
  return texts.map((text) => ({ is: "text", text, given }));
}

function plain(word: ShellWord): string {
  return only(word) ?? SHELL_UNKNOWN;
}

function byShell(args: readonly ShellWord[], input: Input): Started[] {
  const { flags, operands } = takeApart(args, "oO", "--rcfile --init-file");
  const [first, ...given] = operands;
  if (flags.has("-c")) return first ? textsOf([first], given) : [];
  if (first && !flags.has("-s")) return fromStream(first) ? [{ is: "unknown" }] : [];
  if (input.text !== undefined) return [{ is: "text", text: input.text }];
  return input.isFed ? [{ is: "unknown" }] : [];
}

/** A stream instead of a file: what another command prints. */
function fromStream(word: ShellWord | undefined): boolean {
  return (
    word?.values.some((value) => /^(\/dev\/(fd|stdin)|\/proc\/self\/fd|-$)/.test(value)) === true
  );
}

function aliased(value: string): Started {
  const at = value.indexOf("=");
  return { is: "text", text: at < 0 ? "" : value.slice(at + 1).replace(/^(["'])(.*)\1$/, "$2") };
}

function byOption(args: readonly ShellWord[]): Started[] {
  const { given } = takeApart(args, "cugGsw", "--command --user --group --shell");
  const command = given.get("-c") ?? given.get("--command");
  return command ? textsOf([command]) : [];
}

function byFind(args: readonly ShellWord[]): Started[] {
  const found: ShellWord = { values: foundBy(args), pattern: true };
  const all: Started[] = [];
  for (const [at, word] of args.entries()) {
    const text = only(word) ?? "";
    if (text === "-delete") all.push({ is: "words", words: [known("rm"), found] });
    if (!/^-(exec|execdir|ok|okdir|x|-exec|X|-exec-batch)$/.test(text)) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex((each) => [";", "+"].includes(only(each) ?? ""));
    const words = end < 0 ? rest : rest.slice(0, end);
    all.push({ is: "words", words: words.map((each) => (only(each) === "{}" ? found : each)) });
  }
  return all;
}

/** What `find` comes upon: in its folders, under the names it is given. */
function foundBy(args: readonly ShellWord[]): string[] {
  const from = args.findIndex((word) => /^[-(!]/.test(only(word) ?? ""));
  const named = args.flatMap((word, at) =>
    /^-i?name$/.test(only(word) ?? "") ? (args[at + 1]?.values ?? []) : [],
  );
  const folders = (from < 0 ? args : args.slice(0, from)).flatMap(({ values }) => values);
  const roots = folders.length > 0 ? folders : ["."];
  const names = named.length > 0 ? named : [SHELL_UNKNOWN];
  return roots.flatMap((root) => names.map((name) => `${root}/${SHELL_UNKNOWN}/${name}`));
}

/** Names of files that a program prints, one a line. Undefined: it prints something else. */
export function namesPrintedBy(name: string, args: readonly ShellWord[]): string[] | undefined {
  if (name === "find") return foundBy(args);
  if (name === "git") {
    const [command, ...rest] = args.map(plain);
    const paths = rest.filter((each) => !each.startsWith("-"));
    return command === "ls-files" ? orUnknown(paths) : undefined;
  }
  if (name === "ls") return orUnknown(takeApart(args).operands.flatMap(({ values }) => values));
  if (name === "echo" || name === "printf") {
    const words = args.flatMap(({ values }) => values).flatMap((text) => text.split(/\s+/));
    return orUnknown(words.filter((word) => word !== "" && !/^(-[neE]+|%.*)$/.test(word)));
  }
  if (name !== "grep" && name !== "rg") return undefined;
  const { flags, given, operands } = takeApart(args, "efmABCgt", "--include --glob --regexp");
  if (!flags.has("-l") && !flags.has("--files-with-matches")) return undefined;
  const folders = operands.slice(flags.has("-e") || flags.has("-f") ? 0 : 1);
  const roots = folders.length > 0 ? folders.flatMap(({ values }) => values) : ["."];
  const include = given.get("--include") ?? given.get("-g") ?? given.get("--glob");
  const inside = include
    ? include.values.map((each) => `${SHELL_UNKNOWN}/${each}`)
    : [SHELL_UNKNOWN];
  return roots.flatMap((root) => inside.map((each) => `${root}/${each}`));
}

function orUnknown(paths: readonly string[]): string[] {
  return paths.length > 0 ? [...paths] : [SHELL_UNKNOWN];
}

function byXargs(name: string, args: readonly ShellWord[], { names }: Input): Started[] {
  const inner = unwrap(name, args);
  const found = names ?? NOT_KNOWN;
  if (!inner) return name === "parallel" ? [{ is: "unknown" }] : [];
  const placed = inner.words.some((word) => word.values.some((value) => value.includes("{}")));
  const words = inner.words
    .filter((word) => only(word) !== ":::")
    .map((word) => (only(word) === "{}" ? found : hole(word)));
  return [{ is: "words", words: placed ? words : [...words, found] }];
}

function hole({ values, pattern }: ShellWord): ShellWord {
  return { values: values.map((value) => value.replaceAll("{}", SHELL_UNKNOWN)), pattern };
}

/** A program of awk's can start others and write files. */
function byAwk(args: readonly ShellWord[]): Started[] {
  const { operands, flags } = takeApart(args, "vFfi", "--file --include");
  const [program] = operands;
  if (!program || flags.has("-f")) return [];
  return program.values
    .filter((text) => /system\s*\(|>|\|/.test(text))
    .map((text) => ({ is: "code", text }));
}

function codeIn(name: string, args: readonly ShellWord[], { text, isFed }: Input): Started[] {
  const language = name.replace(/[\d.]+$/, "");
  const options = Object.hasOwn(CODE, language) ? CODE[language] : undefined;
  if (!options) return [];
  const at = args.findIndex((word) => options.some((option) => isOption(only(word), option)));
  const code = args[at + 1];
  if (at >= 0 && code) return code.values.map((each) => ({ is: "code", text: each }));
  // Without a file it runs what it reads.
  const hasFile = args.some((word) => !/^-/.test(only(word) ?? ""));
  if (hasFile || (text === undefined && !isFed)) return [];
  return text === undefined ? [{ is: "unknown" }] : [{ is: "code", text }];
}

/** `-e`, also at the end of other letters as in `-ne`. */
function isOption(text: string | undefined, option: string): boolean {
  if (text === undefined) return false;
  if (option.length !== 2) return text === option;
  return /^-[a-zA-Z]+$/.test(text) && text.endsWith(option.slice(1));
}
