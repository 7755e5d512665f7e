import { SeamError } from "../../errors/index.ts";
import { nearest } from "../../events/index.ts";
import type { ExtensionSet } from "../../extensions/index.ts";

type Flags = Record<string, boolean | string>;

const wrong = (detail: string) => new SeamError("SEAM_USAGE", { detail });

/** The words that are not options: with a bare -p they are the prompt. */
export function wordsOf(args: readonly string[]): string[] {
  return args.filter((arg) => !arg.startsWith("--"));
}

/**
 * Options that Seam does not know, as the flags that extensions declared. Only they say whether an
 * option takes the word after it. `words`: the words that are taken already.
 */
export function parseFlags(
  set: ExtensionSet,
  all: readonly string[],
  words: readonly string[] = [],
): Flags {
  const known = new Map(set.flags().map(({ name, flag }) => [name, flag.type]));
  const args = all.filter((arg) => !words.includes(arg));
  const flags: Flags = {};
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    const [, name, given] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    if (name === undefined) throw wrong(`"${arg}" was not expected. Use -p "…".`);
    const type = known.get(name);
    if (!type) {
      const close = nearest(name, known.keys());
      throw wrong(`There is no option --${name}.${close ? ` Did you mean --${close}?` : ""}`);
    }
    flags[name] = type === "boolean" ? truth(name, given) : value(name, given ?? args[++i]);
  }
  return flags;
}

function truth(name: string, given = "true"): boolean {
  if (given === "true" || given === "false") return given === "true";
  throw wrong(`--${name} is either there or not; it takes no value.`);
}

function value(name: string, given: string | undefined): string {
  if (given === undefined) throw wrong(`--${name} needs a value.`);
  return given;
}
