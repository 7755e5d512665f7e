import type { Word, WordPart } from "unbash";
import { SHELL_UNKNOWN, type ShellWord } from "./reading.ts";

/** What is known while a command is read. */
export interface KnownInShell {
  /** Where the shell is now, seen from where it started. */
  dir: string;
  /** Where `cd -` goes. */
  before: string;
  readonly home: string;
  /** What variables were given so far. A pattern was matched against files when it was given. */
  readonly variables: Map<string, ShellWord>;
  /** What a command in `$(…)` prints, as far as that is known. */
  readonly output: (script: CommandExpansion["script"]) => ShellWord;
  /** To be asked before anything is looked at. False: enough was looked at, and nothing more is known. */
  spend(): boolean;
  /** Looks at what is inside of something else. */
  within<T>(look: () => T): T;
}

type CommandExpansion = Extract<WordPart, { type: "CommandExpansion" }>;
type Parameter = Extract<WordPart, { type: "ParameterExpansion" }>;

/** More values than these are not followed: then it is not known. */
const MOST_VALUES = 64;
const NOT_KNOWN: readonly string[] = [SHELL_UNKNOWN];

/** The words that one word in the text becomes: braces and variables can make several of it. */
export function expandWord(word: Word, scope: KnownInShell): ShellWord[] {
  const { parts } = word;
  if (!scope.spend()) return [{ values: NOT_KNOWN, pattern: false }];
  if (!parts) return [{ values: [withHome(word.value, word.text, scope)], pattern: false }];
  if (parts.length === 1 && parts[0]) {
    const split = elements(parts[0], scope) ?? splitValue(parts[0], scope);
    if (split) return split;
  }
  return inBraces(parts).map((each) => {
    const joined = join(each.map((part) => valuesOf(part, scope)));
    const [first] = each;
    const values =
      typeof first !== "string" && first?.type === "Literal"
        ? joined.map((value) => withHome(value, first.text, scope))
        : joined;
    return { values, pattern: each.some((part) => isPattern(part, scope, false)) };
  });
}

/** `"$@"` and `"${a[@]}"` are as many words as there are elements. */
function elements(part: WordPart, scope: KnownInShell): ShellWord[] | undefined {
  const inner = part.type === "DoubleQuoted" && part.parts.length === 1 ? part.parts[0] : part;
  const name =
    inner?.type === "SimpleExpansion"
      ? /^\$([@*])$/.exec(inner.text)?.[1]
      : inner?.type === "ParameterExpansion" && !inner.operation && !inner.prefix
        ? allOf(inner)
        : undefined;
  const given = name === undefined ? undefined : scope.variables.get(name);
  if (!given || given.values.length < 2) return undefined;
  return given.values.map((value) => ({ values: [value], pattern: given.pattern }));
}

/** The name of a list of which every element is meant. */
function allOf({ parameter, index, text }: Parameter): string | undefined {
  if (parameter === "@" || parameter === "*") return parameter;
  return index !== undefined && /\[[@*]\]\}$/.test(text) ? parameter : undefined;
}

/** `$x` without quotes is as many words as its value has. */
function splitValue(part: WordPart, scope: KnownInShell): ShellWord[] | undefined {
  if (part.type !== "SimpleExpansion" && part.type !== "ParameterExpansion") return undefined;
  const values = valuesOf(part, scope);
  const [value = ""] = values;
  if (values.length !== 1 || !/\s/.test(value.trim())) return undefined;
  const words = value.trim().split(/\s+/);
  return words.map((text) => ({ values: [text], pattern: WILD.test(text) }));
}

const WILD = /[*?[]/;

/** Without quotes, what a variable holds is matched against files once more. */
function isPattern(part: WordPart | string, scope: KnownInShell, isQuoted: boolean): boolean {
  if (typeof part === "string") return false;
  switch (part.type) {
    case "Glob":
    case "ExtendedGlob":
      return true;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.some((child) => isPattern(child, scope, true));
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion": {
      const wasMatched =
        part.type === "CommandExpansion"
          ? scope.output(part.script).pattern
          : scope.variables.get(nameIn(part))?.pattern === true;
      return wasMatched || (!isQuoted && valuesOf(part, scope).some((value) => WILD.test(value)));
    }
    default:
      return false;
  }
}

const nameIn = (part: Extract<WordPart, { type: "SimpleExpansion" | "ParameterExpansion" }>) =>
  part.type === "SimpleExpansion" ? part.text.slice(1) : part.parameter;

function valuesOf(part: WordPart | string, scope: KnownInShell): readonly string[] {
  if (typeof part === "string") return [part];
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [part.value];
    case "Glob":
    case "ExtendedGlob":
      return [part.text];
    case "DoubleQuoted":
    case "LocaleString":
      return join(part.parts.map((child) => valuesOf(child, scope)));
    case "SimpleExpansion":
      return variable(nameIn(part), scope);
    case "ParameterExpansion":
      return parameter(part, scope);
    case "CommandExpansion":
      return scope.output(part.script).values;
    case "ArithmeticExpansion":
      return ["0"];
    case "ProcessSubstitution":
      return ["/dev/fd/63"];
    case "BraceExpansion":
      return NOT_KNOWN;
  }
}

function parameter(part: Parameter, scope: KnownInShell): readonly string[] {
  const { parameter: name, prefix, operation } = part;
  if (prefix) return NOT_KNOWN;
  // Of an array any element may be meant.
  const known = variable(name, scope);
  if (!operation) return known;
  if (operation.type !== "Default") return NOT_KNOWN;
  const { operand } = operation;
  const words = scope.within(() => expandWord(operand, scope));
  const others = words.flatMap(({ values }) => values);
  // Without a value of its own, only the default is left to go by.
  return known === NOT_KNOWN && operation.operator !== "+"
    ? [...others, SHELL_UNKNOWN]
    : [...known, ...others];
}

function variable(name: string, { variables, home, dir }: KnownInShell): readonly string[] {
  const given = variables.get(name);
  if (given) return given.values;
  if (name === "HOME") return [home];
  if (name === "PWD") return [dir];
  return name === "TMPDIR" ? ["/tmp"] : NOT_KNOWN;
}

function withHome(value: string, text: string, { home }: KnownInShell): string {
  return text === "~" || text.startsWith("~/") ? home + value.slice(1) : value;
}

/** A variable that is made of itself again and again is soon longer than all memory. */
const LONGEST_VALUE = 100_000;
const isTooLong = (value: string) => value.length > LONGEST_VALUE;

/** Every way to take one of each. */
function join(choices: readonly (readonly string[])[]): string[] {
  let all = [""];
  for (const choice of choices) {
    all = all.flatMap((start) => choice.map((end) => start + end));
    if (all.length > MOST_VALUES || all.some(isTooLong)) return [SHELL_UNKNOWN];
  }
  return [...new Set(all)];
}

/** The parts of each word that `{a,b}` makes. */
function inBraces(parts: readonly WordPart[]): (WordPart | string)[][] {
  let words: (WordPart | string)[][] = [[]];
  for (const part of parts) {
    const choices = part.type === "BraceExpansion" ? bracesIn(part.text) : undefined;
    words = words.flatMap((word) => (choices ?? [part]).map((choice) => [...word, choice]));
    if (words.length > MOST_VALUES) return [[SHELL_UNKNOWN]];
  }
  return words;
}

/** `{a,b}` as its choices. Undefined: there is more in it than plain text. */
function bracesIn(text: string): string[] | undefined {
  const inner = text.slice(1, -1);
  return /[{}$`\\'"]|\.\./.test(inner) ? undefined : inner.split(",");
}
