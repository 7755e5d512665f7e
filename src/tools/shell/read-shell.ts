import { homedir } from "node:os";
import {
  type Command,
  type CommandNode,
  forEachChild,
  type ParsedScript,
  type Pipeline,
  parse,
  type Redirected,
  type Redirection,
  type SyntaxNode,
} from "unbash";
import { takeApart } from "./arguments.ts";
import { calculates } from "./calculates.ts";
import { expandWord } from "./expand-word.ts";
import { namesPrintedBy, startedBy } from "./inner-commands.ts";
import { heredocOf, linesOf, pathPrintedBy, printedBy, sifts } from "./printed-text.ts";
import {
  anyOf,
  type InlineCode,
  known,
  NOT_KNOWN,
  SHELL_UNKNOWN,
  type ShellCommand,
  type ShellReading,
  type ShellWord,
  type ShellWrite,
} from "./reading.ts";
import { isPlaceOfGit, isRunByOthers, ShellScope } from "./shell-scope.ts";
import { only, programOf } from "./wrappers.ts";
import { writeTargets } from "./write-targets.ts";

export interface ReadShellOptions {
  /** What `~` and `$HOME` stand for. */
  readonly home?: string;
}

/** Longer texts are not read: a gate that takes long is no help. */
const LONGEST = 200_000;
const MOST_COMMANDS = 5_000;
const DEEPEST = 12;
const ALONE = { whole: false, inFolder: false };
/** What is read in a loop behind a pipe; no variable has this name. */
const PIPED = "";
const IN_A_SHELL_OF_ITS_OWN: ReadonlySet<string> = new Set([
  "Subshell",
  "CommandExpansion",
  "ProcessSubstitution",
]);
const TOO_MUCH = "It is too long, or too much of it is inside of something else.";
/** The parser looks at all of them again for each one. */
const MOST_HEREDOCS = 200;

/**
 * Reads a shell command without running it: which programs it starts, also through `sudo`, `xargs`,
 * `sh -c`, `find -exec` or `$(…)`, and what it writes to. Never throws. What cannot be known is
 * said: a program without a name, SHELL_UNKNOWN in a word, a problem.
 *
 * @example
 * const { commands, writes } = readShell("cd src && sudo rm -r old > ../.env");
 * commands.map(({ name }) => name); // ["cd", "sudo", "rm"]
 * writes.map(({ path }) => path); // [".env", "src/old"]
 */
export function readShell(command: string, options: ReadShellOptions = {}): ShellReading {
  const reader = new Reader(options.home ?? homedir());
  reader.text(command, []);
  return reader.reading;
}

/** What a command can read from the one before it in a pipeline. */
interface Piped {
  /** Text that is printed as it stands, for a shell to run. */
  readonly text?: string;
  /** Names of files, one a line. */
  readonly names?: ShellWord;
}

class Reader {
  readonly #commands: ShellCommand[] = [];
  readonly #writes: ShellWrite[] = [];
  readonly #code: InlineCode[] = [];
  readonly #problems = new Set<string>();
  readonly #scope: ShellScope;
  readonly #functions = new Map<string, SyntaxNode>();
  #calculates = false;
  #left = LONGEST;
  #depth = 0;

  constructor(home: string) {
    const output = (script: ParsedScript | undefined) =>
      this.#scope.within(() => this.#output(script));
    this.#scope = new ShellScope(home, output);
  }

  get reading(): ShellReading {
    const { length } = this.#commands;
    if (length >= MOST_COMMANDS) this.#problems.add("There are too many commands in it.");
    if (this.#scope.isSpent) this.#problems.add(TOO_MUCH);
    return {
      commands: this.#commands,
      writes: this.#writes,
      code: this.#code,
      variables: [...this.#scope.variables.keys()].filter((name) => /^[a-z_]/i.test(name)),
      calculates: this.#calculates,
      problems: [...this.#problems],
    };
  }

  /** Text for a shell. */
  text(text: string, via: readonly string[]): void {
    this.#left -= text.length;
    const heredocs = text.split("<<").length - 1;
    if (this.#left < 0 || heredocs > MOST_HEREDOCS || this.#depth >= DEEPEST) {
      this.#problems.add(TOO_MUCH);
      return;
    }
    this.#depth++;
    try {
      const script = parse(text);
      this.#note(script);
      this.#inside(script, via);
    } catch {
      // Whatever the parser cannot do, the caller is told that nothing is known.
      this.#problems.add("It cannot be read.");
    }
    this.#depth--;
  }

  /** Everything in a node, in order. */
  #inside(node: SyntaxNode, via: readonly string[]): void {
    forEachChild(node, (child) => this.#node(child, via));
  }

  #node(node: SyntaxNode, via: readonly string[]): void {
    if (!this.#scope.spend()) return;
    this.#calculates ||= calculates(node);
    if (node.type === "Command") this.#command(node, via, {});
    else if (node.type === "Pipeline") this.#pipeline(node, via);
    else if (node.type === "Redirected") this.#fed(node, via);
    else if (IN_A_SHELL_OF_ITS_OWN.has(node.type)) this.#apart(() => this.#inside(node, via));
    else {
      if (node.type === "Script") this.#note(node);
      else if (node.type === "For" || node.type === "Select") this.#scope.loop(node);
      else if (node.type === "Assignment") this.#assign(node, via);
      else if (node.type === "Function") this.#functions.set(node.name.value, node.body);
      else if (node.type === "Redirect") this.#redirect(node);
      this.#inside(node, via);
    }
  }

  #assign(node: Extract<SyntaxNode, { type: "Assignment" }>, via: readonly string[]): void {
    this.#scope.assign(node);
    const { name } = node;
    const isPlace = isPlaceOfGit(name);
    if (!isPlace && !isRunByOthers(name)) return;
    for (const value of this.#scope.variables.get(name)?.values ?? []) {
      const path = this.#scope.at(value);
      if (isPlace) this.#writes.push({ path, pattern: false, by: name, ...ALONE });
      // Without a space in it, it names a program at most, and does nothing by itself.
      else if (/\s/.test(value)) this.#apart(() => this.text(value, [...via, name]));
    }
  }

  #note({ errors = [] }: ParsedScript): void {
    for (const { message } of errors) this.#problems.add(message);
  }

  /** In a shell of its own: `cd` in it counts no further. */
  #apart(work: () => void): void {
    const { dir, before } = this.#scope;
    work();
    Object.assign(this.#scope, { dir, before });
  }

  #pipeline(node: Pipeline, via: readonly string[]): void {
    let piped: Piped = {};
    for (const [index, command] of node.commands.entries()) {
      const input = piped;
      piped = this.#printed(command, input);
      this.#apart(() => this.#piped(command, via, index === 0 ? {} : { ...input, fromPipe: true }));
    }
  }

  #piped(node: CommandNode, via: readonly string[], input: Piped & { fromPipe?: boolean }): void {
    if (node.type === "Command") {
      this.#command(node, via, input);
      return;
    }
    // `… | while read f`: the names are what the command before it found.
    if (input.names) this.#scope.set(PIPED, input.names);
    this.#node(node, via);
    this.#scope.variables.delete(PIPED);
  }

  /** `while read f; do …; done <<< names` */
  #fed(node: Redirected, via: readonly string[]): void {
    const names = this.#fedBy(node.redirects);
    if (names) this.#scope.set(PIPED, names);
    this.#inside(node, via);
    if (names) this.#scope.variables.delete(PIPED);
  }

  /** The names in what a command reads, where that stands in the text. */
  #fedBy(redirects: readonly Redirection[]): ShellWord | undefined {
    for (const redirect of redirects) {
      if (redirect.type === "HereDoc") return linesOf(redirect.body.text);
      if (redirect.type === "HereString" && redirect.target) {
        return anyOf(expandWord(redirect.target, this.#scope));
      }
      const [part] = (redirect.type === "Redirect" && redirect.target?.parts) || [];
      if (part?.type !== "ProcessSubstitution" || part.operator !== "<") continue;
      const command = part.script?.commands[0]?.command;
      const printed = command?.type === "Command" ? this.#printed(command) : {};
      return printed.names ?? (printed.text === undefined ? undefined : linesOf(printed.text));
    }
    return undefined;
  }

  /** What a command of a pipeline prints, if that is plain to see. */
  #printed(node: CommandNode, input: Piped = {}): Piped {
    if (node.type !== "Command") return {};
    const [name, ...args] = this.#words(node);
    const program = programOf(only(name));
    if (program === "cat" && args.length === 0) {
      const text = heredocOf(node.redirects);
      return text === undefined ? input : { text, names: linesOf(text) };
    }
    if (program === "cat") {
      const text = this.#substituted(node);
      if (text !== undefined) return { text, names: linesOf(text) };
    }
    if (program === "tee") return input;
    // Which of the names are left is not known: each of them may be.
    if (sifts(program) && input.names) return { names: input.names };
    const names = program === undefined ? undefined : namesPrintedBy(program, args);
    const text = printedBy(program, args);
    return {
      ...(names && { names: { values: names, pattern: true } }),
      ...(text !== undefined && { text }),
    };
  }

  /** What stands in the `<(…)` that a command is given, if it is printed as it stands there. */
  #substituted({ args }: Command): string | undefined {
    for (const word of args) {
      const [part] = (word.type === "Word" && word.parts) || [];
      if (part?.type !== "ProcessSubstitution" || part.operator !== "<") continue;
      const command = part.script?.commands[0]?.command;
      if (command?.type === "Command") return this.#printed(command).text;
    }
    return undefined;
  }

  #output(script: ParsedScript | undefined): ShellWord {
    const moved = this.#movedTo(script);
    if (moved) return moved;
    const statement = script?.commands[0]?.command;
    if (script?.commands.length !== 1 || statement?.type !== "Command") return NOT_KNOWN;
    const [name, ...args] = this.#words(statement);
    const program = programOf(only(name)) ?? "";
    if (program === "mktemp") return known(`/tmp/${SHELL_UNKNOWN}`);
    if (program === "pwd") return known(this.#scope.dir);
    const last = only(args.at(-1));
    if (program === "git" && last === "--show-toplevel") return known(".");
    const finds = program === "which" || (program === "command" && only(args[0]) === "-v");
    if (finds && last !== undefined) return known(last);
    const path = pathPrintedBy(program, args);
    if (path) return path;
    const text = printedBy(program, args);
    if (text !== undefined) return { values: [text], pattern: args.some(({ pattern }) => pattern) };
    const names = namesPrintedBy(program, args);
    return names ? { values: names, pattern: true } : NOT_KNOWN;
  }

  /** `$(cd x && pwd)` */
  #movedTo(script: ParsedScript | undefined): ShellWord | undefined {
    const statement = script?.commands[0]?.command;
    const both =
      statement?.type === "AndOr"
        ? statement.commands
        : script?.commands.map((each) => each.command);
    const [first, second] = both ?? [];
    if (both?.length !== 2 || first?.type !== "Command" || second?.type !== "Command")
      return undefined;
    const [cd, ...to] = this.#words(first);
    const [pwd] = this.#words(second);
    if (only(cd) !== "cd" || only(pwd) !== "pwd") return undefined;
    const [folder] = to.filter((word) => !/^-/.test(only(word) ?? ""));
    return folder && { values: folder.values.map((each) => this.#scope.at(each)), pattern: false };
  }

  #words({ name, args }: Command): ShellWord[] {
    const all = name ? [name, ...args] : [];
    return all.flatMap((word) =>
      word.type === "Word"
        ? expandWord(word, this.#scope)
        : [{ values: [word.text], pattern: false }],
    );
  }

  #command(node: Command, via: readonly string[], input: Piped & { fromPipe?: boolean }): void {
    const words = this.#words(node);
    // What stands in `$(…)` and behind `>` runs and is written before the command itself.
    this.#inside(node, via);
    const text = heredocOf(node.redirects) ?? this.#substituted(node) ?? input.text;
    const names = this.#fedBy(node.redirects) ?? input.names;
    this.#run(words, via, {
      ...(text !== undefined && { text }),
      ...(names && { names }),
      isFed: input.fromPipe === true || node.redirects.some(({ operator }) => operator === "<"),
    });
  }

  #run(
    words: readonly ShellWord[],
    via: readonly string[],
    input: Piped & { isFed: boolean },
  ): void {
    const [first, ...args] = words;
    if (!first || this.#commands.length >= MOST_COMMANDS) return;
    for (const value of first.values) {
      const name = first.pattern ? undefined : programOf(value);
      this.#commands.push({ name, path: value, args, via, dir: this.#scope.dir });
      if (name === undefined) continue;
      this.#shellsOwn(value, args, input);
      if (!via.includes("ssh")) this.#write(name, args);
      this.#call(value, args, via);
      const inner = [...via, name];
      for (const each of startedBy(name, args, input)) {
        if (each.is === "text") {
          this.#apart(() => {
            this.#scope.give(each.given ?? [], 0);
            this.text(each.text, each.isHere ? via : inner);
          });
        } else if (each.is === "code") this.#code.push({ program: name, text: each.text });
        else if (each.is === "unknown") this.#run([NOT_KNOWN], inner, { isFed: false });
        else {
          this.#apart(() => {
            if (each.folder) this.#scope.go([each.folder]);
            this.#run(each.words, inner, input);
          });
        }
      }
    }
  }

  /** A function runs again with what it is given here. */
  #call(name: string, args: readonly ShellWord[], via: readonly string[]): void {
    const body = this.#functions.get(name);
    if (!body || this.#depth >= DEEPEST) return;
    this.#depth++;
    this.#scope.give(args, 1);
    this.#node(body, via);
    this.#depth--;
  }

  /** What changes the shell itself: it goes by its exact name, and so do functions. */
  #shellsOwn(name: string, args: readonly ShellWord[], { names }: Piped): void {
    if (name === "cd" || name === "pushd") this.#scope.go(args);
    else if (name === "popd") this.#scope.go([{ values: ["-"], pattern: false }]);
    else if (name === "read" || name === "mapfile" || name === "readarray") {
      const found = names ?? this.#scope.variables.get(PIPED);
      for (const word of args) for (const value of word.values) this.#scope.set(value, found);
    } else if (name === "set") {
      const { operands, dashes } = takeApart(args, "o");
      this.#scope.give(operands.slice(dashes ?? 0), 1);
    } else if (name === "printf" && only(args[0]) === "-v") {
      this.#scope.set(only(args[1]) ?? "", anyOf(args.slice(2)));
    } else if (name === "export" || name === "declare" || name === "local" || name === "readonly") {
      this.#scope.declare(args);
    }
  }

  #redirect(node: Extract<Redirection, { type: "Redirect" }>): void {
    const { operator, target } = node;
    if (!target || operator === "<" || operator === "<&") return;
    for (const { values, pattern } of expandWord(target, this.#scope)) {
      for (const value of values) {
        // `2>&1` names a stream.
        if (operator === ">&" && /^(\d+-?|-)$/.test(value)) continue;
        this.#writes.push({ path: this.#scope.at(value), pattern, by: operator, ...ALONE });
      }
    }
  }

  #write(name: string, args: readonly ShellWord[]): void {
    for (const { word, whole, inFolder = false } of writeTargets(name, args)) {
      for (const value of word.values) {
        this.#writes.push({
          path: this.#scope.at(value),
          pattern: word.pattern,
          by: name,
          whole,
          inFolder,
        });
      }
    }
  }
}
