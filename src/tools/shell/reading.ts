/**
 * Stands in a word for what cannot be known before the command runs, such as the value of a
 * variable that was set elsewhere, or what another command prints.
 */
export const SHELL_UNKNOWN = "\uFFFC";

/** One word of a command, after quotes, variables and braces. */
export interface ShellWord {
  /**
   * What it may stand for: mostly one value, several if it comes from a loop or a default. What is
   * not known in it is written as SHELL_UNKNOWN.
   */
  readonly values: readonly string[];
  /** `*`, `?` or `[…]` in it are to be matched against files. */
  readonly pattern: boolean;
}

export const known = (value: string): ShellWord => ({ values: [value], pattern: false });

export const NOT_KNOWN = known(SHELL_UNKNOWN);

/** One word that can be each of several. */
export function anyOf(words: readonly ShellWord[]): ShellWord {
  return {
    values: words.flatMap(({ values }) => values),
    pattern: words.some(({ pattern }) => pattern),
  };
}

/** A program that a shell command starts, however it is wrapped. */
export interface ShellCommand {
  /** The program without its folder: `rm` also for `\rm`, `/bin/rm` or `sudo rm`. Undefined: not known. */
  readonly name: string | undefined;
  /** As it is written, with its folder: `./rm` is another program than `rm`. */
  readonly path: string;
  /** What stands behind it. */
  readonly args: readonly ShellWord[];
  /** Programs that start it, the outermost first: `["sudo", "sh"]` for `sudo sh -c "…"`. */
  readonly via: readonly string[];
  /** The folder it runs in, seen from where the shell starts. May hold SHELL_UNKNOWN. */
  readonly dir: string;
}

/** A place that a shell command writes to, changes or removes. */
export interface ShellWrite {
  /** From where the shell starts, or from the root. Holds SHELL_UNKNOWN for what is not known. */
  readonly path: string;
  /** `*`, `?` or `[…]` in the path are to be matched against files. */
  readonly pattern: boolean;
  /** The program that writes, or the redirection's operator. */
  readonly by: string;
  /** Everything below the path goes with it, as with `rm -r`. */
  readonly whole: boolean;
  /** Only if the folder is there: `cp x y` writes to `y/x` if `y` is a folder, and else to `y`. */
  readonly inFolder: boolean;
}

/** A program in another language that stands in the command, as with `python -c`. */
export interface InlineCode {
  readonly program: string;
  readonly text: string;
}

/** What a shell command does, as far as that can be known from its text. */
export interface ShellReading {
  /** Every program it may start, in the order in which they stand there. */
  readonly commands: readonly ShellCommand[];
  readonly writes: readonly ShellWrite[];
  readonly code: readonly InlineCode[];
  /** The names of variables that it sets, in whatever way. */
  readonly variables: readonly string[];
  /**
   * Where the shell calculates with variables, or follows the name in one. A value that looks like
   * `a[$(rm x)]` is a command there.
   */
  readonly calculates: boolean;
  /** What could not be read at all: a syntax error, too much text. Empty for nearly all commands. */
  readonly problems: readonly string[];
}
