import { homedir } from "node:os";
import { posix } from "node:path";
import {
  type Command,
  type CommandNode,
  forEachChild,
  type ParsedScript,
  type Pipeline,
  parse,
  type Redirection,
  type SyntaxNode,
} from "unbash";
import { expandWord, type Scope } from "./expand-word.ts";
import { namesPrintedBy, started, startedBy } from "./inner-commands.ts";
import {
  type InlineCode,
  SHELL_UNKNOWN,
  type ShellCommand,
  type ShellReading,
  type ShellWord,
  type ShellWrite,
} from "./reading.ts";
import { only } from "./wrappers.ts";
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
  readonly #scope: Scope;
  #left = LONGEST;
  #depth = 0;

  constructor(home: string) {
    this.#scope = {
      dir: ".",
      before: ".",
      home,
      variables: new Map(),
      output: (script) => this.#output(script),
    };
  }

  get reading(): ShellReading {
    const { length } = this.#commands;
    if (length >= MOST_COMMANDS) this.#problems.add("There are too many commands in it.");
    return {
      commands: this.#commands,
      writes: this.#writes,
      code: this.#code,
      problems: [...this.#problems],
    };
  }

  /** Text for a shell. */
  text(text: string, via: readonly string[]): void {
    this.#left -= text.length;
    const heredocs = text.split("<<").length - 1;
    if (this.#left < 0 || heredocs > MOST_HEREDOCS || this.#depth >= DEEPEST) {
      this.#problems.add("It is too long, or too much of it is inside of something else.");
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
    if (node.type === "Command") this.#command(node, via, {});
    else if (node.type === "Pipeline") this.#pipeline(node, via);
    else if (IN_A_SHELL_OF_ITS_OWN.has(node.type)) this.#apart(() => this.#inside(node, via));
    else {
      if (node.type === "Script") this.#note(node);
      else if (node.type === "For" || node.type === "Select") this.#loop(node);
      else if (node.type === "Assignment") this.#assign(node);
      else if (node.type === "Redirect") this.#redirect(node);
      this.#inside(node, via);
    }
  }

  #note({ errors = [] }: ParsedScript): void {
    for (const { message } of errors) this.#problems.add(message);
  }

  #loop({ name, wordlist }: Extract<SyntaxNode, { type: "For" | "Select" }>): void {
    const words = wordlist?.flatMap((word) => expandWord(word, this.#scope));
    this.#set(name.value, words?.flatMap(({ values }) => values) ?? [SHELL_UNKNOWN]);
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
      piped = this.#printed(command);
      this.#apart(() => this.#piped(command, via, index === 0 ? {} : { ...input, fromPipe: true }));
    }
  }

  #piped(node: CommandNode, via: readonly string[], input: Piped & { fromPipe?: boolean }): void {
    if (node.type === "Command") {
      this.#command(node, via, input);
      return;
    }
    // `… | while read f`: the names are what the command before it found.
    if (input.names) this.#set(PIPED, input.names.values);
    this.#node(node, via);
    this.#scope.variables.delete(PIPED);
  }

  /** What a command of a pipeline prints, if that is plain to see. */
  #printed(node: CommandNode): Piped {
    if (node.type !== "Command") return {};
    const [name, ...args] = this.#words(node);
    const program = programOf(only(name));
    const names = program === undefined ? undefined : namesPrintedBy(program, args);
    if (names) {
      return { names: { values: names.map((path) => this.#at(path)), pattern: true } };
    }
    if (program === "cat" && args.length === 0) {
      const text = heredocOf(node.redirects);
      return text === undefined ? {} : { text };
    }
    const text = printedBy(program, args);
    return text === undefined ? {} : { text };
  }

  #output(script: ParsedScript | undefined): readonly string[] {
    const statement = script?.commands[0]?.command;
    if (script?.commands.length !== 1 || statement?.type !== "Command") return [SHELL_UNKNOWN];
    const [name, ...args] = this.#words(statement);
    const program = programOf(only(name)) ?? "";
    if (program === "mktemp") return [`/tmp/${SHELL_UNKNOWN}`];
    if (program === "pwd") return [this.#scope.dir];
    const last = only(args.at(-1));
    if (program === "git" && last === "--show-toplevel") return ["."];
    const names = program === "which" || (program === "command" && only(args[0]) === "-v");
    if (names && last !== undefined) return [last];
    const text = printedBy(program, args);
    return [text ?? SHELL_UNKNOWN];
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
    const heredoc = heredocOf(node.redirects);
    const text = heredoc ?? input.text;
    this.#run(words, via, {
      ...(text !== undefined && { text }),
      ...(input.names && { names: input.names }),
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
      this.#commands.push({ name, args, via, dir: this.#scope.dir });
      if (name === undefined) continue;
      this.#shellsOwn(name, args, input);
      if (!via.includes("ssh")) this.#write(name, args);
      const inner = [...via, name];
      for (const each of startedBy(name, args, input)) {
        if (each.is === "text") this.#apart(() => this.text(each.text, inner));
        else if (each.is === "code") this.#code.push({ program: name, text: each.text });
        else if (each.is === "unknown") this.#run(started.unknown, inner, { isFed: false });
        else this.#run(each.words, inner, input);
      }
    }
  }

  /** What changes the shell itself. */
  #shellsOwn(name: string, args: readonly ShellWord[], { names }: Piped): void {
    if (name === "cd" || name === "pushd") this.#go(args);
    else if (name === "popd") this.#go([{ values: ["-"], pattern: false }]);
    else if (name === "read" || name === "mapfile" || name === "readarray") {
      const found = names?.values ?? this.#scope.variables.get(PIPED) ?? [SHELL_UNKNOWN];
      for (const word of args) for (const value of word.values) this.#set(value, found);
    } else if (name === "export" || name === "declare" || name === "local" || name === "readonly") {
      for (const value of args.flatMap(({ values }) => values)) {
        const [, variable = "", given] = /^(\w+)=([\s\S]*)$/.exec(value) ?? [];
        if (given !== undefined) this.#set(variable, [unquoted(given)]);
      }
    }
  }

  #go(args: readonly ShellWord[]): void {
    const to = args.map(only).filter((value) => value === "-" || !value?.startsWith("-"));
    const { dir, before, home } = this.#scope;
    const [target] = args.length === 0 ? [home] : to;
    this.#scope.before = dir;
    this.#scope.dir = target === "-" ? before : this.#at(target ?? SHELL_UNKNOWN);
  }

  #assign({ name, value, index, append }: Extract<SyntaxNode, { type: "Assignment" }>): void {
    const isPlain = value.type === "Word" && !index && !append;
    const words = isPlain ? expandWord(value, this.#scope) : [];
    this.#set(name, isPlain ? words.flatMap(({ values }) => values) : [SHELL_UNKNOWN]);
  }

  /** A branch may not be taken, so what a variable was before still counts. */
  #set(name: string, values: readonly string[]): void {
    if (name.startsWith("-")) return;
    const all = new Set([...(this.#scope.variables.get(name) ?? []), ...values]);
    this.#scope.variables.set(name, all.size > 64 ? [SHELL_UNKNOWN] : [...all]);
  }

  #redirect(node: Extract<Redirection, { type: "Redirect" }>): void {
    const { operator, target } = node;
    if (!target || operator === "<" || operator === "<&") return;
    for (const { values, pattern } of expandWord(target, this.#scope)) {
      for (const value of values) {
        // `2>&1` names a stream.
        if (operator === ">&" && /^(\d+-?|-)$/.test(value)) continue;
        this.#writes.push({ path: this.#at(value), pattern, by: operator, ...ALONE });
      }
    }
  }

  #write(name: string, args: readonly ShellWord[]): void {
    for (const { word, whole, inFolder = false } of writeTargets(name, args)) {
      for (const value of word.values) {
        this.#writes.push({
          path: this.#at(value),
          pattern: word.pattern,
          by: name,
          whole,
          inFolder,
        });
      }
    }
  }

  /** A path seen from where the shell started. */
  #at(path: string): string {
    const { dir } = this.#scope;
    return posix.isAbsolute(path) ? posix.normalize(path) : posix.join(dir, path);
  }
}

/** The name of the program behind a path. */
function programOf(value: string | undefined): string | undefined {
  const name = value === undefined ? "" : posix.basename(value);
  return name === "" || name.includes(SHELL_UNKNOWN) ? undefined : name;
}

function printedBy(program: string | undefined, args: readonly ShellWord[]): string | undefined {
  if (program !== "echo" && program !== "printf") return undefined;
  const texts = args.map(only).filter((text) => text !== undefined && !/^-[neE]+$/.test(text));
  if (texts.length === 0 || args.some((word) => only(word) === undefined)) return undefined;
  return program === "echo" ? texts.join(" ") : texts.join("\n");
}

function heredocOf(redirects: readonly Redirection[]): string | undefined {
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") return redirect.body.text;
    if (redirect.type === "HereString") return redirect.target?.value;
  }
  return undefined;
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
