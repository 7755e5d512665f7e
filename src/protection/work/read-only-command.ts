import { SHELL_UNKNOWN, type ShellCommand, type ShellReading } from "../../tools/index.ts";

type Words = readonly string[];
/** Whether a program leaves everything as it is with these arguments. */
type Harmless = true | ((words: Words) => boolean);

const without =
  (pattern: RegExp): Harmless =>
  (words) =>
    !words.some((word) => pattern.test(word));

/** Subcommands of git that only look; what stands behind some of them could write. */
const GIT: Readonly<Record<string, Harmless>> = {
  blame: true,
  branch: (words) =>
    words.every(
      (word) =>
        /^(-a|-r|-v+|--list|--all|--show-current|-l|--contains|--merged|--no-merged)$/.test(word) ||
        words.includes("--list") ||
        words.includes("--contains"),
    ),
  "cat-file": without(/^--(textconv|filters)/),
  config: (words) => words.some((word) => /^(--get.*|--list|-l|get|list)$/.test(word)),
  "count-objects": true,
  describe: true,
  diff: without(/^(--output|--ext-diff|-o$)/),
  "diff-tree": without(/^(--output|--ext-diff)/),
  "for-each-ref": true,
  grep: without(/^(-O|--open-files-in-pager)/),
  help: true,
  log: without(/^(--output|--ext-diff)/),
  "ls-files": true,
  "ls-tree": true,
  "merge-base": true,
  "name-rev": true,
  reflog: (words) => words.every((word) => word === "show" || !/^(expire|delete)$/.test(word)),
  remote: (words) =>
    words.every((word) => /^(-v|--verbose|show|get-url|[\w./-]+)$/.test(word)) &&
    !words.some((word) => /^(add|remove|rm|rename|set-.*|prune|update)$/.test(word)),
  "rev-list": true,
  "rev-parse": true,
  shortlog: true,
  show: without(/^(--output|--ext-diff)/),
  stash: (words) => words[0] === "list" || words[0] === "show",
  status: true,
  tag: (words) =>
    words.length === 0 || words.some((word) => /^(-l|--list|--contains|--points-at)$/.test(word)),
  version: true,
  worktree: (words) => words[0] === "list",
};

/** Options of git before its subcommand that change nothing but where it looks. */
const GIT_OPTION = /^(--no-pager|-P|--no-optional-locks|--version|--help|--literal-pathspecs)$/;

/** Programs that leave everything as it is, whatever files they are given to read. */
const HARMLESS: Readonly<Record<string, Harmless>> = {
  "[": true,
  "[[": true,
  awk: without(/system\s*\(|>|\||getline|-i\b|inplace|@load/),
  basename: true,
  cat: true,
  cd: true,
  cmp: true,
  column: true,
  comm: true,
  cut: true,
  date: without(/^(-s|--set)/),
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
  fd: without(/^(-x|-X|--exec)/),
  fgrep: true,
  file: without(/^(-C|--compile)/),
  find: without(/^-(delete|fprint|fls|exec|execdir|ok|okdir)/),
  fold: true,
  git: (words) => readsGit(words),
  grep: true,
  head: true,
  hexdump: true,
  hostname: (words) => words.every((word) => word.startsWith("-")),
  id: true,
  jq: true,
  ls: true,
  md5sum: true,
  nl: true,
  od: true,
  printf: true,
  pwd: true,
  readlink: true,
  realpath: true,
  return: true,
  rg: without(/^--(pre|hostname-bin)/),
  seam: (words) => words[0] === "crew" && CREW_TALK.test(words[1] ?? ""),
  sed: (words) =>
    !words.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(word) || writesInSed(word)),
  seq: true,
  set: true,
  sha1sum: true,
  sha256sum: true,
  shift: true,
  sleep: true,
  sort: without(/^(-o|--output|--compress-program)/),
  stat: true,
  strings: true,
  tac: true,
  tail: true,
  test: true,
  tr: true,
  tree: without(/^-o/),
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

/** Set before a command, these make it run another. */
const LOADED =
  /(^|[\s;&|(])(GIT_\w+|PAGER|LD_\w+|DYLD_\w+|BASH_ENV|ENV|PATH|LESSOPEN|EDITOR|VISUAL|NODE_OPTIONS|PYTHON\w+|PERL5\w+|IFS)=/;

/** What a device swallows. */
const NOWHERE = /^\/dev\/(null|stdout|stderr|fd\/\d+|tty)$/;

/**
 * Why a role that only reads may not run a command; undefined if it may. What is not known to be
 * harmless is not: a program that nobody lists, a name that only the run shows.
 */
export function notReadOnly(
  script: string,
  { commands, writes, code, problems }: ShellReading,
  allowed: readonly string[],
): string | undefined {
  if (isAllowed(script, commands, allowed)) return undefined;
  const [problem] = problems;
  if (problem !== undefined) return problem;
  if (LOADED.test(script)) return "It sets a variable with which it could run anything.";
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
  const { name, args } = command;
  if (name === undefined) return false;
  const rule = Object.hasOwn(HARMLESS, name) ? HARMLESS[name] : undefined;
  const ways = args.map(({ values }) => values);
  if (rule === true) return true;
  // Every value that a word can have must be harmless; unknown ones are for rules without exception.
  const words = ways.flat();
  if (words.some((word) => word.includes(SHELL_UNKNOWN)) && rule !== undefined) return false;
  if (rule?.(words) === true) return true;
  return allowed.some((pattern) => fits(said(command), pattern));
}

function readsGit(words: Words): boolean {
  const at = words.findIndex((word) => !GIT_OPTION.test(word));
  const verb = at < 0 ? undefined : words[at];
  if (verb === undefined) return words.length > 0;
  const rule = Object.hasOwn(GIT, verb) ? GIT[verb] : undefined;
  if (rule === undefined) return false;
  return rule === true || rule(words.slice(at + 1));
}

/** sed's commands w, W and e, and the flags of s that do the same. */
function writesInSed(word: string): boolean {
  return (
    /(^|[;{}\n\s\d$/])[wWe]\s|(^|[^\\])\/[gpiIm\d]*[we]\b/.test(word) || /^[\d,$]*e$/.test(word)
  );
}

function said({ name = "…", args }: ShellCommand): string {
  const words = args.map(({ values }) => values[0] ?? "");
  return [name, ...words].join(" ").replaceAll(SHELL_UNKNOWN, "…").slice(0, 200);
}

function fits(text: string, pattern: string): boolean {
  const source = pattern
    .trim()
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, ".*");
  return new RegExp(`^${source}$`, "s").test(text);
}
