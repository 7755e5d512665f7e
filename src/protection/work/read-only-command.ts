import { posix } from "node:path";
import { SHELL_UNKNOWN, type ShellCommand, type ShellReading } from "../../tools/index.ts";
import { readsGit } from "./read-only-git.ts";
import { onlyPrints } from "./sed-script.ts";

type Words = readonly string[];
/** Whether a program leaves everything as it is with these arguments. */
type Harmless = true | ((words: Words) => boolean);

const without =
  (pattern: RegExp): Harmless =>
  (words) =>
    !words.some((word) => pattern.test(word));

/** Programs that leave everything as it is, whatever files they are given to read. */
const HARMLESS: Readonly<Record<string, Harmless>> = {
  // `-v` looks at a variable by a name that can hold a command.
  "[": without(/^-[vR]$/),
  // One program that stands here; other options read more of it from files, or write some.
  awk: (words) =>
    words.every((word) => !word.startsWith("-") || /^(-F.*|-v.*|--|-)$/.test(word)) &&
    // One sign alone is what fields are separated by.
    !words.some((word) => /system\s*\(|[>|@]|getline/.test(word) && !/^(-F)?.$/.test(word)),
  basename: true,
  cat: true,
  cd: true,
  cmp: true,
  column: true,
  comm: true,
  cut: true,
  date: without(/^(-[a-zA-Z]*s|--s|\d{8,})/),
  df: true,
  diff: without(/^--output/),
  dirname: true,
  du: true,
  echo: true,
  egrep: true,
  env: (words) => words.length === 0,
  exit: true,
  expr: true,
  false: true,
  fd: without(/^(-[a-zA-Z]*[xX]|--exec)/),
  fgrep: true,
  file: without(/^(-[a-zA-Z]*C|--comp)/),
  find: without(/^-(delete|fprint|fls|exec|execdir|ok|okdir)/),
  fold: true,
  git: (words) => readsGit(words),
  grep: true,
  head: true,
  hexdump: true,
  hostname: (words) => words.every((word) => /^-[AdfiIs]$/.test(word)),
  id: true,
  jq: true,
  ls: true,
  md5sum: true,
  nl: true,
  od: true,
  printf: without(/^-v/),
  pwd: true,
  readlink: true,
  realpath: true,
  return: true,
  rg: without(/^--(pre|hostname-bin)/),
  seam: (words) => words[0] === "crew" && CREW_TALK.test(words[1] ?? ""),
  sed: onlyPrints,
  seq: true,
  set: true,
  sha1sum: true,
  sha256sum: true,
  shift: true,
  sleep: true,
  sort: without(/^(-[a-zA-Z]*[oT]|--o|--c|--t)/),
  stat: true,
  strings: true,
  tac: true,
  tail: true,
  test: without(/^-[vR]$/),
  tr: true,
  tree: without(/^(-[a-zA-Z]*o|--o)/),
  true: true,
  type: true,
  uname: true,
  uniq: (words) => words.filter((word) => !word.startsWith("-")).length < 2,
  wc: true,
  which: true,
  whoami: true,
  xargs: true,
  xxd: (words) => words.filter((word) => !word.startsWith("-")).length < 2 && !words.includes("-r"),
};

/** How an agent speaks to its crew from a shell. */
const CREW_TALK = /^(send|ask|status|result|messages)$/;

/** Variables that no program takes for the name of another one, or of a file to load. */
const HARMLESS_VARIABLE =
  /^([a-z_][a-z0-9_]*|LC_\w+|LANG|LANGUAGE|TZ|NO_COLOR|COLUMNS|CI|TERM|[A-Z])$/;

/** Where the system keeps its programs. */
const SYSTEM_FOLDERS: ReadonlySet<string> = new Set([
  "/bin",
  "/sbin",
  "/usr/bin",
  "/usr/sbin",
  "/usr/local/bin",
  "/opt/homebrew/bin",
]);

/** What a device swallows. */
const NOWHERE = /^\/dev\/(null|stdout|stderr|fd\/\d+|tty)$/;

/**
 * Why a role that only reads may not run a command; undefined if it may. What is not known to be
 * harmless is not: a program that nobody lists, a name that only the run shows.
 */
export function notReadOnly(
  script: string,
  { commands, writes, code, variables, calculates, problems }: ShellReading,
  allowed: readonly string[],
): string | undefined {
  if (isAllowed(script, commands, allowed)) return undefined;
  const [problem] = problems;
  if (problem !== undefined) return problem;
  const loaded = variables.find((name) => !HARMLESS_VARIABLE.test(name));
  if (loaded !== undefined) return `It sets ${loaded}, with which it could run anything.`;
  if (calculates) return "It calculates with a variable, whose value could be a command.";
  const write = writes.find(({ path }) => !NOWHERE.test(path));
  if (write) return `It writes to ${write.path.replaceAll(SHELL_UNKNOWN, "…")}.`;
  if (code[0]) return `What ${code[0].program} would do there is not known.`;
  const other = commands.find((command) => !isHarmless(command, allowed));
  return other && `"${said(other)}" is not among the commands that only read.`;
}

/** The patterns of the role stand for whole commands: every part of the script has to fit one. */
function isAllowed(
  script: string,
  commands: readonly ShellCommand[],
  allowed: readonly string[],
): boolean {
  if (allowed.length === 0 || commands.length !== 1 || /[;&|<>`$\n()]/.test(script)) return false;
  return allowed.some((pattern) => fits(script.trim(), pattern));
}

function isHarmless(command: ShellCommand, allowed: readonly string[]): boolean {
  return leavesAsItIs(command) || allowed.some((pattern) => fits(said(command), pattern));
}

/** Whether a program leaves everything as it is, with the arguments it has. */
export function leavesAsItIs({ name, args, path }: ShellCommand): boolean {
  if (name === undefined) return false;
  // A program of that name in the project is another program.
  if (path.includes("/") && !SYSTEM_FOLDERS.has(posix.dirname(path))) return false;
  const rule = Object.hasOwn(HARMLESS, name) ? HARMLESS[name] : undefined;
  const ways = args.map(({ values }) => values);
  if (rule === true) return true;
  // Every value that a word can have must be harmless; unknown ones are for rules without exception.
  const words = ways.flat();
  if (words.some((word) => word.includes(SHELL_UNKNOWN)) && rule !== undefined) return false;
  return rule?.(words) === true;
}

function said({ path, args }: ShellCommand): string {
  const words = args.map(({ values }) => values[0] ?? "");
  return [path, ...words].join(" ").replaceAll(SHELL_UNKNOWN, "…").slice(0, 200);
}

function fits(text: string, pattern: string): boolean {
  const source = pattern
    .trim()
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, ".*");
  return new RegExp(`^${source}$`, "s").test(text);
}
