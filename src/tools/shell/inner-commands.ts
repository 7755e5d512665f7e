import { takeApart } from "./arguments.ts";
import { known, NOT_KNOWN, SHELL_UNKNOWN, type ShellWord } from "./reading.ts";
import { only, unwrap } from "./wrappers.ts";

/** Something that a program starts. */
export type StartedByProgram =
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
      /** It runs on this machine, also where the program starts something on another one. */
      readonly isHere?: true;
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

const SHELLS = new Set(
  "sh bash zsh dash ksh mksh ash fish rbash yash csh tcsh nu elvish xonsh".split(" "),
);
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

/** Programs that read commands for a shell, each line behind these fields or prefixes. */
const READ_LINES: Readonly<Record<string, RegExp>> = {
  at: /^/,
  batch: /^/,
  crontab: /^\s*(@\w+|(\S+\s+){5})/,
  make: /^[^\t:]*:[^;]*;?|^\t[@+-]*/,
  gmake: /^[^\t:]*:[^;]*;?|^\t[@+-]*/,
  parallel: /^/,
};

/** Options and settings of programs that hold a command for a shell. */
const COMMANDS_IN: Readonly<Record<string, readonly RegExp[]>> = {
  flock: [/^(?:-c|--command)(?:=|$)/],
  make: [/^--eval(?:=|$)/, /^SHELL=/],
  gmake: [/^--eval(?:=|$)/, /^SHELL=/],
  mapfile: [/^-C/],
  readarray: [/^-C/],
  rsync: [/^(?:-e|--rsh)(?:=|$)/],
  scp: [/^-o\s*(?:Proxy|Local)Command[= ]/i, /^(?:Proxy|Local)Command[= ]/i],
  ssh: [/^-o\s*(?:Proxy|Local)Command[= ]/i, /^(?:Proxy|Local)Command[= ]/i],
  sudo: [/^(?:-s|--shell)$/],
  git: [
    /^(?:-x|--exec|--extcmd|--\w+-filter)(?:=|$)/,
    /^-O(?=.)/,
    /^--open-files-in-pager=/,
    /^(?:alias\.[\w-]+|[\w.-]*(?:pager|editor|command|cmd|askpass|helper|textconv|program|driver|clean|smudge|process|proxy))(?:=|$)/i,
  ],
};

/** Texts that stand in the arguments of a program and that a shell runs for it. */
function textsIn(name: string, args: readonly ShellWord[]): StartedByProgram[] {
  const options = Object.hasOwn(COMMANDS_IN, name) ? COMMANDS_IN[name] : undefined;
  if (!options) return [];
  return args.flatMap((word, at) =>
    word.values.flatMap((value): StartedByProgram[] => {
      const option = options.find((each) => each.test(value));
      if (!option) return [];
      const glued = value.replace(option, "");
      const texts = glued === "" ? (args[at + 1]?.values ?? []) : [glued];
      // Without a space in it, it names a program at most, and does nothing by itself.
      return texts
        .filter((text) => /\s/.test(text))
        .map((text) => ({ is: "text", text: text.replace(/^\s*!/, ""), isHere: true }));
    }),
  );
}

/** What git runs as it stands behind a word: `git bisect run x`, `git submodule foreach x`. */
function behindWord(args: readonly ShellWord[]): StartedByProgram[] {
  const words = args.map((word) => only(word) ?? "");
  const run = words.indexOf("run");
  if (run > 0 && words[run - 1] === "bisect") return [{ is: "words", words: args.slice(run + 1) }];
  const each = words.indexOf("foreach");
  if (each < 1 || words[each - 1] !== "submodule") return [];
  return textsOf(args.slice(each + 1).filter((word) => !/^-/.test(only(word) ?? "")));
}

/** Everything that a command starts besides itself. */
export function startedBy(
  name: string,
  args: readonly ShellWord[],
  input: Input,
): StartedByProgram[] {
  return [
    ...textsIn(name, args),
    ...(name === "git" ? behindWord(args) : []),
    ...linesFor(name, input),
    ...started(name, args, input),
  ];
}

/** What a program reads that takes commands, a line each. */
function linesFor(name: string, { text }: Input): StartedByProgram[] {
  const before = Object.hasOwn(READ_LINES, name) ? READ_LINES[name] : undefined;
  if (!before || text === undefined) return [];
  return [{ is: "text", text: text.replace(new RegExp(before.source, "gm"), "") }];
}

function started(name: string, args: readonly ShellWord[], input: Input): StartedByProgram[] {
  if (SHELLS.has(name)) return byShell(args, input);
  if (name === "eval") return textsOf(args);
  if (name === "trap") return textsOf(args.slice(0, 1));
  if (name === "alias") return args.flatMap(({ values }) => values.map(aliased));
  if (name === "source" || name === ".") return fromStream(args[0]) ? [readBy(input)] : [];
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
function textsOf(
  words: readonly ShellWord[],
  given: readonly ShellWord[] = [],
): StartedByProgram[] {
  if (words.length === 0) return [];
  const [first] = words;
  // A text that can be several things is taken as each of them.
  const texts = words.length === 1 && first ? first.values : [words.map(plain).join(" ")];
  return texts.map((text) => ({ is: "text", text, given }));
}

function plain(word: ShellWord): string {
  return only(word) ?? SHELL_UNKNOWN;
}

function byShell(args: readonly ShellWord[], input: Input): StartedByProgram[] {
  const { flags, operands } = takeApart(args, "oO", "--rcfile --init-file");
  const [first, ...given] = operands;
  if (flags.has("-c")) return first ? textsOf([first], given) : [];
  if (first && !flags.has("-s")) return fromStream(first) ? [readBy(input)] : [];
  if (input.text !== undefined) return [{ is: "text", text: input.text }];
  return input.isFed ? [{ is: "unknown" }] : [];
}

/** What a shell runs that reads its commands. */
function readBy({ text }: Input): StartedByProgram {
  return text === undefined ? { is: "unknown" } : { is: "text", text };
}

/** A stream instead of a file: what another command prints. */
function fromStream(word: ShellWord | undefined): boolean {
  return (
    word?.values.some((value) => /^(\/dev\/(fd|stdin)|\/proc\/self\/fd|-$)/.test(value)) === true
  );
}

function aliased(value: string): StartedByProgram {
  const at = value.indexOf("=");
  return { is: "text", text: at < 0 ? "" : value.slice(at + 1).replace(/^(["'])(.*)\1$/, "$2") };
}

function byOption(args: readonly ShellWord[]): StartedByProgram[] {
  const { given } = takeApart(args, "cugGsw", "--command --user --group --shell");
  const command = given.get("-c") ?? given.get("--command");
  return command ? textsOf([command]) : [];
}

function byFind(args: readonly ShellWord[]): StartedByProgram[] {
  const found: ShellWord = { values: foundBy(args), pattern: true };
  const all: StartedByProgram[] = [];
  for (const [at, word] of args.entries()) {
    const text = only(word) ?? "";
    if (text === "-delete") all.push({ is: "words", words: [known("rm"), found] });
    if (!/^-(exec|execdir|ok|okdir|x|-exec|X|-exec-batch)$/.test(text)) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex((each) => [";", "+"].includes(only(each) ?? ""));
    const words = end < 0 ? rest : rest.slice(0, end);
    const placed = words.map((each) => (only(each) === "{}" ? found : each));
    // `fd` adds what it found where no place is marked.
    const isAdded = text.startsWith("--") || /^-[xX]$/.test(text);
    all.push({
      is: "words",
      words: isAdded && !placed.includes(found) ? [...placed, found] : placed,
    });
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

function byXargs(name: string, args: readonly ShellWord[], { names }: Input): StartedByProgram[] {
  const inner = unwrap(name, args);
  const found = names ?? NOT_KNOWN;
  if (!inner) return name === "parallel" ? [{ is: "unknown" }] : [];
  const placed = inner.words.some((word) => word.values.some((value) => value.includes("{}")));
  const words = inner.words
    .filter((word) => only(word) !== ":::")
    .map((word) => (only(word) === "{}" ? found : hole(word, found)));
  return [{ is: "words", words: placed ? words : [...words, found] }];
}

function hole({ values, pattern }: ShellWord, found: ShellWord): ShellWord {
  if (!values.some((value) => value.includes("{}"))) return { values, pattern };
  return {
    values: values.flatMap((value) => found.values.map((name) => value.replaceAll("{}", name))),
    pattern: pattern || found.pattern,
  };
}

/** A program of awk's can start others and write files. */
function byAwk(args: readonly ShellWord[]): StartedByProgram[] {
  const { operands, flags } = takeApart(args, "vFfi", "--file --include");
  const [program] = operands;
  if (!program || flags.has("-f")) return [];
  return program.values
    .filter((text) => /system\s*\(|>|\|/.test(text))
    .map((text) => ({ is: "code", text }));
}

function codeIn(
  name: string,
  args: readonly ShellWord[],
  { text, isFed }: Input,
): StartedByProgram[] {
  const language = name.replace(/[\d.]+$/, "");
  const options = Object.hasOwn(CODE, language) ? CODE[language] : undefined;
  if (!options) return [];
  const at = args.findIndex((word) => options.some((option) => isOption(only(word), option)));
  const glued = args.flatMap((word) => gluedCode(only(word), options));
  if (glued.length > 0) return glued.map((each) => ({ is: "code", text: each }));
  const code = args[at + 1];
  if (at >= 0 && code) return code.values.map((each) => ({ is: "code", text: each }));
  // Without a file it runs what it reads.
  const hasFile = args.some((word) => !/^-/.test(only(word) ?? ""));
  if (hasFile || (text === undefined && !isFed)) return [];
  return text === undefined ? [{ is: "unknown" }] : [{ is: "code", text }];
}

/** `-e'…'` and `--eval=…`: the program stands in the same word. */
function gluedCode(text: string | undefined, options: readonly string[]): string[] {
  if (text === undefined) return [];
  return options.flatMap((option) => {
    const start = option.startsWith("--") ? `${option}=` : option;
    const isGlued =
      text.startsWith(start) && text.length > start.length && /\W/.test(text.slice(2));
    return isGlued ? [text.slice(start.length)] : [];
  });
}

/** `-e`, also at the end of other letters as in `-ne`. */
function isOption(text: string | undefined, option: string): boolean {
  if (text === undefined) return false;
  if (option.length !== 2) return text === option;
  return /^-[a-zA-Z]+$/.test(text) && text.endsWith(option.slice(1));
}
