import { usageError } from "../../errors/index.ts";
import { nearest } from "../../events/index.ts";

type Flags = Record<string, boolean | string>;

interface Declared {
  flags(): readonly {
    readonly name: string;
    readonly flag: { readonly type: "boolean" | "string" };
  }[];
}

export interface ParsedFlags {
  readonly flags: Flags;
  /** What is neither an option nor the value of one: with a bare -p it is the prompt. */
  readonly words: readonly string[];
}

/**
 * Options that Seam does not know, as the flags that extensions declared. Only they say whether an
 * option takes the word after it.
 */
export function parseFlags(set: Declared, args: readonly string[]): ParsedFlags {
  const known = new Map(set.flags().map(({ name, flag }) => [name, flag.type]));
  const flags: Flags = {};
  const words: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    const [, name, given] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    if (name === undefined) {
      if (/^-./.test(arg)) {
        throw usageError(
          `There is no option ${arg}.`,
          "If it is part of the prompt, put the prompt into quotes. The options: seam run --help",
        );
      }
      words.push(arg);
      continue;
    }
    const type = known.get(name);
    if (!type) {
      const close = nearest(name, known.keys());
      throw usageError(
        `There is no option --${name}.`,
        close ? `Did you mean --${close}?` : "Which there are: seam run --help",
      );
    }
    flags[name] = type === "boolean" ? truth(name, given) : value(name, given ?? args[++i]);
  }
  return { flags, words };
}

function truth(name: string, given = "true"): boolean {
  if (given === "true" || given === "false") return given === "true";
  throw usageError(`--${name} takes no value.`, `Write --${name}, or leave it out.`);
}

function value(name: string, given: string | undefined): string {
  if (given === undefined) {
    throw usageError(`--${name} needs a value.`, `Write --${name} and the value behind it.`);
  }
  return given;
}
