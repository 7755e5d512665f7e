import { posix } from "node:path";
import type { ParsedScript, SyntaxNode } from "unbash";
import { expandWord, type KnownInShell } from "./expand-word.ts";
import { anyOf, known, NOT_KNOWN, SHELL_UNKNOWN, type ShellWord } from "./reading.ts";
import { only } from "./wrappers.ts";

/** More values than these are not followed. */
const MOST_VALUES = 64;
/** How much is looked at: a word in a command is one. */
const MOST_WORK = 100_000;
/** What is inside of something else is looked at again for everything around it, so it counts for more. */
const INSIDE = 20;

/** Where a shell is while a command is read, and what its variables were given so far. */
export class ShellScope implements KnownInShell {
  dir = ".";
  before = ".";
  readonly home: string;
  readonly variables = new Map<string, ShellWord>();
  readonly output: (script: ParsedScript | undefined) => ShellWord;
  #work = 0;
  #inside = 0;

  constructor(home: string, output: (script: ParsedScript | undefined) => ShellWord) {
    this.home = home;
    this.output = output;
  }

  /** Not everything was looked at. */
  get isSpent(): boolean {
    return this.#work > MOST_WORK;
  }

  spend(): boolean {
    this.#work += 1 + INSIDE * this.#inside;
    return !this.isSpent;
  }

  within<T>(look: () => T): T {
    this.#inside++;
    try {
      return look();
    } finally {
      this.#inside--;
    }
  }

  loop({ name, wordlist }: Extract<SyntaxNode, { type: "For" | "Select" }>): void {
    const words = wordlist?.flatMap((word) => expandWord(word, this));
    this.set(name.value, words ? anyOf(words) : this.variables.get("@"));
  }

  go(args: readonly ShellWord[]): void {
    const to = args.map(only).filter((value) => value === "-" || !value?.startsWith("-"));
    const { dir, before, home } = this;
    const [target] = args.length === 0 ? [home] : to;
    this.before = dir;
    this.dir = target === "-" ? before : this.at(target ?? SHELL_UNKNOWN);
  }

  /** A path seen from where the shell started. */
  at(path: string): string {
    const { dir } = this;
    return posix.isAbsolute(path) ? posix.normalize(path) : posix.join(dir, path);
  }

  /** What `$1`, `$2`, `$@` and `$*` stand for from here on. */
  give(args: readonly ShellWord[], first: 0 | 1): void {
    for (const [at, word] of args.entries()) this.set(String(at + first), word);
    const all = args.slice(1 - first);
    if (all.length > 0) for (const name of ["@", "*"]) this.set(name, anyOf(all));
  }

  assign({ name, value, index, append }: Extract<SyntaxNode, { type: "Assignment" }>): void {
    const isList = value.type === "ArrayValue";
    const given = (isList ? value.elements : [value]).flatMap((word) => expandWord(word, this));
    const before = append && !isList && !index ? this.variables.get(name) : undefined;
    const { values, pattern } = anyOf(given);
    this.set(name, {
      values: before ? before.values.flatMap((start) => values.map((end) => start + end)) : values,
      // Only a list is matched against files when it is given.
      pattern: isList && pattern,
    });
  }

  /** `export a=b c=d` and its like. */
  declare(args: readonly ShellWord[]): void {
    for (const value of args.flatMap(({ values }) => values)) {
      const [, name = "", given] = /^(\w+)=([\s\S]*)$/.exec(value) ?? [];
      if (given !== undefined) this.set(name, known(unquoted(given)));
    }
  }

  /** A branch may not be taken, so what a variable was before still counts. */
  set(name: string, { values, pattern }: ShellWord = NOT_KNOWN): void {
    if (name.startsWith("-")) return;
    const before = this.variables.get(name);
    const all = [...new Set([...(before?.values ?? []), ...values])];
    this.variables.set(name, {
      values: all.length > MOST_VALUES ? NOT_KNOWN.values : all,
      pattern: pattern || before?.pattern === true,
    });
  }
}

/** Variables whose value other programs run as a command. */
const RUN_BY_OTHERS =
  /(^|_)(EDITOR|PAGER|ASKPASS|BROWSER|VISUAL)$|^(ENV|BASH_ENV|PROMPT_COMMAND)$|_COMMAND$|^GIT_(SSH|EXTERNAL_DIFF)/;

export const isRunByOthers = (name: string) => RUN_BY_OTHERS.test(name);

/** Variables that name where git works. */
const PLACE_OF_GIT = /^GIT_(WORK_TREE|DIR|INDEX_FILE|OBJECT_DIRECTORY)$/;

export const isPlaceOfGit = (name: string) => PLACE_OF_GIT.test(name);

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
