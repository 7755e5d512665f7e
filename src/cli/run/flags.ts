import { SeamError } from "../../errors/index.ts";
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

const wrong = (detail: string) => new SeamError("SEAM_USAGE", { detail });

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
      if (/^-./.test(arg)) throw wrong(`There is no option ${arg}. Put the prompt into quotes.`);
      words.push(arg);
      continue;
    }
    const type = known.get(name);
    if (!type) {
      const close = nearest(name, known.keys());
      throw wrong(`There is no option --${name}.${close ? ` Did you mean --${close}?` : ""}`);
    }
    flags[name] = type === "boolean" ? truth(name, given) : value(name, given ?? args[++i]);
  }
  return { flags, words };
}

function truth(name: string, given = "true"): boolean {
  if (given === "true" || given === "false") return given === "true";
  throw wrong(`--${name} is either there or not; it takes no value.`);
}

function value(name: string, given: string | undefined): string {
  if (given === undefined) throw wrong(`--${name} needs a value.`);
  return given;
}
