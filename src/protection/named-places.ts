import { posix } from "node:path";
import { readShell, SHELL_UNKNOWN, type ShellCommand } from "../tools/index.ts";
import { leavesAsItIs } from "./work/read-only-command.ts";
import { readsGit } from "./work/read-only-git.ts";

type Words = readonly string[];

/** A place that a command may change. */
export interface NamedPlace {
  readonly path: string;
  readonly pattern: boolean;
  readonly whole: boolean;
}

/** Options with which programs that usually only look change what they look at. */
const CHANGES = /^(--(fix|write|apply|in-?place|update|unsafe|out)|-[a-z]*[wuio])/i;

/** Programs that look at what they are given, and those that only look without such an option. */
const LOOKS: ReadonlySet<string> = new Set(
  `ack ag b2sum bat batcat bunzip2 bzcat cksum cloc csvlook exa eza gunzip hd jless
   less lesspipe ll md5 mdcat mkdocs more nm objdump otool ps pstree readelf sha512sum shasum
   shellcheck sum tokei watch whereis yamllint zcat zgrep zless`.split(/\s+/),
);
const LOOKS_UNLESS_ASKED: ReadonlySet<string> = new Set(
  `ava base32 base64 biome clang-format deno eslint flake8 gofmt jest jsonlint knip markdownlint mocha mypy
   oxlint prettier pyright pytest ruff standard stylelint tap tsc vitest vue-tsc yq`.split(/\s+/),
);

/** Programs whose arguments are read one by one elsewhere: what they write, and what they start. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set(
  `. alias ash awk bash builtin cd chroot command cp dash dd declare doas echo env eval exec export
   fakeroot fish flock gawk git gsed install ionice ksh ln local mapfile mawk mksh mv nawk nice
   nohup parallel perl popd printf pushd read readarray readonly rm rsync ruby run0 scp seam
   agentseam sed set setsid sh source ssh stdbuf sudo su systemd-run tar taskset time timeout trap
   typeset unset unshare watch xargs zip zsh`.split(/\s+/),
);

/** Programs that start the one that stands behind them, some of them only after a word. */
const STARTERS: Readonly<Record<string, RegExp | true>> = {
  npx: true,
  bunx: true,
  pnpx: true,
  uvx: true,
  npm: /^(exec|x)$/,
  pnpm: /^(exec|dlx)$/,
  yarn: /^(exec|dlx|run)$/,
  bun: /^(x|run)$/,
  uv: /^run$/,
  poetry: /^run$/,
  pipenv: /^run$/,
  bundle: /^exec$/,
};

/** Programs that are given a script in a language of their own: each word in it may be a place. */
const SCRIPTED: ReadonlySet<string> = new Set(
  `ed emacs emacsclient ex expect gdb lldb mysql nvim psql redis-cli sqlite3 tclsh vi vim`.split(
    /\s+/,
  ),
);

/** Programs whose texts are for people. */
const TALKS: ReadonlySet<string> = new Set([
  "gh",
  "glab",
  "hub",
  "jira",
  "linear",
  "claude",
  "codex",
]);

const MOST_WORDS = 200;
/** Between what belongs to one word, as in `--out=x`, `source=x,target=y` or `x:/mnt`. */
const BETWEEN = /[=:,]/;

/**
 * The places that a command names to a program of which nobody knows what it does with them. Which
 * programs there are has no end, so those that only look are listed and all others may write.
 */
export function namedPlaces(command: ShellCommand): readonly NamedPlace[] {
  const { name, args, dir } = command;
  if (name === undefined) return [];
  const words = args.flatMap(({ values }) => values).slice(0, MOST_WORDS);
  const pattern = args.some((word) => word.pattern);
  const at = (path: string): NamedPlace => ({ path: seenFrom(dir, path), pattern, whole: false });
  if (name === "git") return namedToGit(words, dir === ".").map(at);
  if (onlyLooks(command, words)) return [];
  // A program that was brought to a folder of Seam's may write there without naming it.
  const here = dir === "." ? [] : [at(".")];
  if (READ_ELSEWHERE.has(name)) return STAYS.has(name) ? [] : here;
  const inner = startedBy(name, words);
  if (inner && onlyLooks({ ...command, ...inner }, inner.words)) return [];
  const texts = TALKS.has(name) ? [] : words.flatMap((word) => inText(word, dir));
  const scripts = SCRIPTED.has(name) ? words.flatMap((word) => word.split(/[\s"'();,]+/)) : [];
  return [
    ...scripts.filter((word) => word !== "").map(at),
    ...words.flatMap(pathsIn).map(at),
    ...texts,
    ...here,
  ];
}

/** What is read elsewhere and does nothing by itself where it runs. */
const STAYS: ReadonlySet<string> = new Set(
  `. alias ash awk bash builtin cd command dash declare echo env eval exec export fish gawk ksh local
   mapfile mawk nice nohup popd printf pushd read readarray readonly seam agentseam sed set setsid sh
   source ssh stdbuf sudo su time timeout trap typeset unset xargs zsh`.split(/\s+/),
);

function onlyLooks(command: ShellCommand, words: Words): boolean {
  const { name = "" } = command;
  if (LOOKS.has(name)) return true;
  if (LOOKS_UNLESS_ASKED.has(name)) return !words.some((word) => CHANGES.test(word));
  return leavesAsItIs(command);
}

/** The program behind one that starts another, such as `npx`. */
function startedBy(name: string, words: Words) {
  const verb = Object.hasOwn(STARTERS, name) ? STARTERS[name] : undefined;
  if (verb === undefined) return undefined;
  const rest = words.filter((word, at) => at > 0 || !word.startsWith("-"));
  const [first = ""] = rest;
  if (verb !== true && !verb.test(first)) return undefined;
  const [program = "", ...given] = (verb === true ? rest : rest.slice(1)).filter(
    (word) => word !== "--",
  );
  return {
    name: posix.basename(program).replace(/@[^/@]*$/, ""),
    path: program,
    args: given.map((word) => ({ values: [word], pattern: false })),
    words: given,
  };
}

/** Whatever in a word may be a path: the word, and what stands behind or between its marks. */
function pathsIn(word: string): string[] {
  if (/\s/.test(word)) return [];
  const glued = /^-\w(.+)$/.exec(word)?.[1];
  const parts = BETWEEN.test(word) ? word.split(BETWEEN) : [];
  return [...(word.startsWith("-") ? [] : [word]), ...(glued ? [glued] : []), ...parts].filter(
    (part) => part !== "" && !part.includes(SHELL_UNKNOWN),
  );
}

/** Text that a program is given may be a command for a shell, or code: what it writes counts. */
function inText(word: string, dir: string): NamedPlace[] {
  if (!/\s|["'`(]/.test(word)) return [];
  const quoted = [...word.matchAll(/(["'`])((?:(?!\1)[^\\\n]){1,400})\1/g)].map(
    ([, , text = ""]) => text,
  );
  const { writes } = readShell(word.replace(/^[\\.]?!?\s*(shell|system)?\s+/, ""));
  return [
    ...quoted.map((path) => ({ path: seenFrom(dir, path), pattern: false, whole: false })),
    ...writes.map(({ path, pattern, whole }) => ({ path: seenFrom(dir, path), pattern, whole })),
  ];
}

const GIT_FOLDER = /^(-C|--(work-tree|git-dir|prefix|exec-path|template))(?:=(.*))?$/;

/** Folders to which git is sent, unless it only looks there. */
function namedToGit(words: Words, stays: boolean): string[] {
  const folders: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const [found, , , glued] = GIT_FOLDER.exec(word) ?? [];
    if (found === undefined) rest.push(word);
    else folders.push(glued ?? words[++at] ?? ".");
  }
  return readsGit(rest) ? [] : [...folders, ...(stays ? [] : ["."])];
}

function seenFrom(dir: string, path: string): string {
  return posix.isAbsolute(path) || /^(~|\$|file:)/.test(path) ? path : posix.join(dir, path);
}
