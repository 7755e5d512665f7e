import type { ShellWord } from "./reading.ts";
import { only } from "./wrappers.ts";

/** The arguments of a command, taken apart. */
export interface Arguments {
  /** Options as they stand there, those of one letter taken apart: `-rf` is `-r` and `-f`. */
  readonly flags: ReadonlySet<string>;
  /** What options were given, by option. */
  readonly given: ReadonlyMap<string, ShellWord>;
  readonly operands: readonly ShellWord[];
  /** How many operands stand before `--`; undefined: there is none. */
  readonly dashes: number | undefined;
}

/** `valued`: options that take a value: letters, and long names with a space between. */
export function takeApart(args: readonly ShellWord[], valued = "", long = ""): Arguments {
  const flags = new Set<string>();
  const given = new Map<string, ShellWord>();
  const operands: ShellWord[] = [];
  const longNames = long.split(" ");
  let dashes: number | undefined;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (!word) continue;
    const text = only(word);
    if (dashes !== undefined || text === undefined || !/^-./.test(text)) operands.push(word);
    else if (text === "--") dashes = operands.length;
    else if (text.startsWith("--")) {
      const [name = "", ...value] = text.split("=");
      flags.add(name);
      if (value.length > 0) given.set(name, { values: [value.join("=")], pattern: false });
      else if (longNames.includes(name)) give(given, name, args[++at]);
    } else {
      for (let letter = 1; letter < text.length; letter++) {
        const name = `-${text.charAt(letter)}`;
        flags.add(name);
        if (!valued.includes(name.slice(1))) continue;
        const glued = text.slice(letter + 1);
        if (glued === "") give(given, name, args[++at]);
        else given.set(name, { values: [glued], pattern: word.pattern });
        break;
      }
    }
  }
  return { flags, given, operands, dashes };
}

function give(given: Map<string, ShellWord>, name: string, word: ShellWord | undefined): void {
  if (word) given.set(name, word);
}
