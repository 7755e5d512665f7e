/** What git was told to do, as far as its hooks have to know. */
export interface GitCommand {
  /** "commit", "revert" …; undefined if it cannot be known. */
  readonly name?: string;
  readonly amends: boolean;
  /** The command continues an operation that had stopped. */
  readonly continues: boolean;
  /** How the message is cleaned up, if that was said. */
  readonly cleanup?: string;
}

/** Options of git itself whose value is the next argument. */
const OF_GIT: ReadonlySet<string> = new Set([
  "-c",
  "-C",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--config-env",
  "--exec-path",
]);

/** Options of `git commit` with a value. Everything after them in one word is that value too. */
const SHORT_WITH_VALUE = "mFCct";
const SHORT_WITH_REST = "Su";
const LONG_WITH_VALUE = [
  "author",
  "cleanup",
  "date",
  "file",
  "fixup",
  "message",
  "pathspec-from-file",
  "reedit-message",
  "reuse-message",
  "squash",
  "template",
  "trailer",
] as const;

/** Reads the arguments of a git process. Long options may be cut as far as they are clear. */
export function gitCommand([program = "", ...args]: readonly string[]): GitCommand {
  const dashed = /(?:^|\/)git-([a-z-]+)$/.exec(program)?.[1];
  const at = dashed === undefined ? nameAt(args) : -1;
  const name = dashed ?? args[at];
  let [amends, continues] = [false, false];
  let cleanup: string | undefined;
  const rest = args.slice(at + 1);
  while (name !== undefined && rest.length > 0) {
    const arg = rest.shift() ?? "";
    if (arg === "--") break;
    if (!arg.startsWith("--")) {
      if (/^-./.test(arg) && takesNext(arg)) rest.shift();
      continue;
    }
    const [, key = "", given] = /^--([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
    if (isCut(key, "amend") || isCut(key, "no-amend")) amends = !key.startsWith("no-");
    if (isCut(key, "continue")) continues = true;
    const valued = LONG_WITH_VALUE.find((option) => isCut(key, option));
    const value = valued === undefined || given !== undefined ? given : rest.shift();
    if (valued === "cleanup") cleanup = value;
  }
  return {
    ...(name !== undefined && { name }),
    amends,
    continues,
    ...(cleanup !== undefined && { cleanup }),
  };
}

function nameAt(args: readonly string[]): number {
  const at = args.findIndex((arg, i) => !arg.startsWith("-") && !OF_GIT.has(args[i - 1] ?? ""));
  return at < 0 ? args.length : at;
}

/** git refuses an ambiguous option, so this is the one that is meant. */
function isCut(key: string, option: string): boolean {
  return key !== "" && option.startsWith(key);
}

/** Whether the value of the last of several short options is the next argument. */
function takesNext(arg: string): boolean {
  for (const [i, letter] of [...arg.slice(1)].entries()) {
    if (SHORT_WITH_REST.includes(letter)) return false;
    if (SHORT_WITH_VALUE.includes(letter)) return i === arg.length - 2;
  }
  return false;
}
