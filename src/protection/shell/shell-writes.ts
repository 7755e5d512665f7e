import { resolve } from "node:path";
import { type SimpleCommand, simpleCommands } from "./simple-commands.ts";

/** What a shell command does to files, as far as its text says so. */
export interface ShellWrites {
  /** Files it writes, with the folder they are relative to. */
  readonly written: readonly Target[];
  /** Files and folders it removes or moves away, with all that is below them. */
  readonly removed: readonly Target[];
  /** Commands that take Seam out or make it laxer, in words. */
  readonly loosened: readonly string[];
}

export interface Target {
  readonly path: string;
  readonly cwd: string;
}

/** Whose arguments are files that it changes. */
const WRITERS: ReadonlySet<string> = new Set([
  "tee",
  "touch",
  "truncate",
  "chmod",
  "chown",
  "chgrp",
  "chattr",
  "setfacl",
  "dd",
  "patch",
  "ed",
  "ex",
  "vi",
  "vim",
  "nano",
  "emacs",
  "sponge",
  "mkdir",
  "mknod",
  "mkfifo",
]);
/** Whose arguments are files that go away. */
const REMOVERS: ReadonlySet<string> = new Set([
  "rm",
  "rmdir",
  "unlink",
  "shred",
  "mv",
  "trash",
  "srm",
]);
/** Whose last argument is written, and whose others are read. */
const COPIERS: ReadonlySet<string> = new Set(["cp", "ln", "install", "rsync", "scp", "gzip"]);
/** Programs that run other text: what it mentions may be written. */
const INTERPRETERS = /^(python[\d.]*|perl|ruby|node|deno|bun|php|lua|osascript|tclsh)$/;
const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "zsh", "dash", "ksh", "fish"]);
/** What stands before the command that is meant. */
const PREFIXES: ReadonlySet<string> = new Set([
  "sudo",
  "doas",
  "env",
  "nohup",
  "time",
  "nice",
  "ionice",
  "timeout",
  "stdbuf",
  "setsid",
  "command",
  "builtin",
  "exec",
  "xargs",
  "busybox",
  "then",
  "do",
  "else",
  "if",
  "while",
  "!",
]);
/** Commands of Seam's that take something away or agree to something. */
const LOOSENING: Readonly<Record<string, (rest: readonly string[]) => boolean>> = {
  disable: () => true,
  trust: (rest) => !rest.includes("--json") && !rest.includes("--help"),
  daemon: ([verb]) => verb === "stop" || verb === "restart",
  clean: () => true,
};
const DEEPEST = 4;

/** Looks at each command of a script in turn, and follows `cd`. */
export function shellWrites(script: string, cwd: string, depth = 0): ShellWrites {
  const written: Target[] = [];
  const removed: Target[] = [];
  const loosened: string[] = [];
  let folder = cwd;
  const at = (path: string): Target => ({ path, cwd: folder });
  for (const command of simpleCommands(script)) {
    written.push(...command.redirects.flatMap(expanded).map(at));
    const [name = "", ...rest] = meant(command);
    const words = rest.flatMap(expanded);
    const files = words.filter((word) => !word.startsWith("-"));
    if (name === "cd" || name === "pushd") folder = resolve(folder, homeless(files[0] ?? "~"));
    else if (WRITERS.has(name)) written.push(...files.map(afterEquals).map(at));
    else if (REMOVERS.has(name)) removed.push(...files.map(at));
    else if (COPIERS.has(name)) written.push(...files.slice(-1).map(at), ...named(words).map(at));
    else if (name === "sed" || name === "awk" || name === "gawk") {
      if (words.some((word) => /^-\w*i|^--in-place/.test(word))) written.push(...files.map(at));
    } else if (name === "find") {
      const ends = words.some((word) => /^-(delete|exec|execdir|ok|fprint)/.test(word));
      if (ends) removed.push(...files.slice(0, 1).map(at));
    } else if (name === "git") judgeGit(words, at, { written, removed, loosened });
    else if (name === "kill" || name === "pkill" || name === "killall") {
      if (words.some(namesSeam)) loosened.push(`${name} ${words.join(" ")}`);
    } else if (INTERPRETERS.test(name) || SHELLS.has(name) || name === "eval") {
      const entry = words.findIndex((word) => /(^|\/)(seam(\.js)?|agentseam)$/.test(word));
      const said = entry < 0 ? undefined : loosens(words.slice(entry + 1));
      if (said !== undefined) loosened.push(said);
      if (depth < DEEPEST && !INTERPRETERS.test(name)) {
        const inside = shellWrites(scriptOf(name, rest), folder, depth + 1);
        written.push(...inside.written);
        removed.push(...inside.removed);
        loosened.push(...inside.loosened);
      } else if (words.some((word) => /^-\w*[ceEi]|^--eval/.test(word))) {
        written.push(...words.flatMap(quotedIn).map(at));
      }
    } else if (name === "npx" || name === "pnpm" || name === "bunx" || name === "npm") {
      const from = words.findIndex((word) => /^(seam|agentseam)(@.*)?$/.test(word));
      const removes = words.some((word) => /^(un(install|link)|rm|remove)$/.test(word));
      if (from >= 0 && removes) loosened.push(`${name} ${words.join(" ")}`);
      const said = from < 0 ? undefined : loosens(words.slice(from + 1));
      if (said !== undefined) loosened.push(said);
    } else if (/^(seam|agentseam)$/.test(name.split("/").at(-1) ?? "")) {
      const said = loosens(words);
      if (said !== undefined) loosened.push(said);
    }
  }
  written.push(...patched(script).map((path) => ({ path, cwd })));
  return { written, removed, loosened };
}

/** The words of a command without what stands before it: settings of variables, `sudo`, `env`. */
function meant({ words }: SimpleCommand): string[] {
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? "";
    const before = words[at - 1] ?? "";
    const isSetting = /^[A-Za-z_]\w*=/.test(word);
    const isOption = at > 0 && (word.startsWith("-") || /^\d+[smhd]?$/.test(word));
    if (!isSetting && !PREFIXES.has(basename(word)) && !(isOption && isPrefixed(before))) break;
    at++;
  }
  const [name = "", ...rest] = words.slice(at);
  return [basename(name), ...rest];
}

const isPrefixed = (word: string) => PREFIXES.has(basename(word)) || word.startsWith("-");
const basename = (word: string) => word.slice(word.lastIndexOf("/") + 1);
const homeless = (path: string) => path.replace(/^(~|\$HOME|\$\{HOME\})(?=\/|$)/, homeOf());
const homeOf = () => process.env.HOME ?? "~";
/** `of=path` of dd. */
const afterEquals = (word: string) => word.replace(/^(of|if)=/, "");
/** `--target-directory=path`. */
const named = (words: readonly string[]) =>
  words.flatMap((word) => (/^--[\w-]+=/.test(word) ? [word.slice(word.indexOf("=") + 1)] : []));
const namesSeam = (word: string) => /seam/i.test(word);

/** `{a,b}c` is two words. */
function expanded(word: string): string[] {
  const [whole, before = "", list = "", after = ""] =
    /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/.exec(word) ?? [];
  if (whole === undefined) return [word];
  return list.split(",").flatMap((item) => expanded(`${before}${item}${after}`));
}

function scriptOf(name: string, words: readonly string[]): string {
  if (name === "eval") return words.join(" ");
  const at = words.findIndex((word) => /^-\w*c$/.test(word));
  return at < 0 ? "" : (words[at + 1] ?? "");
}

/** What stands in quotes in a program given on the command line. */
function quotedIn(code: string): string[] {
  return [...code.matchAll(/(["'`])((?:(?!\1)[^\\\n]){1,400})\1/g)].map(([, , text = ""]) => text);
}

function loosens(words: readonly string[]): string | undefined {
  const [verb = "", ...rest] = words.filter(
    (word) => !/^--(json|yes)$/.test(word) || word === "--json",
  );
  const judge = Object.hasOwn(LOOSENING, verb) ? LOOSENING[verb] : undefined;
  return judge?.(rest) ? `seam ${words.join(" ")}` : undefined;
}

function judgeGit(
  words: readonly string[],
  at: (path: string) => Target,
  into: { written: Target[]; removed: Target[]; loosened: string[] },
): void {
  const said = `git ${words.join(" ")}`;
  if (words.some((word) => /^core\.(hookspath|fsmonitor)=/i.test(word))) into.loosened.push(said);
  const verb = words.find(
    (word, i) => !word.startsWith("-") && !/^-[Cc]$/.test(words[i - 1] ?? ""),
  );
  const rest = words.slice(words.indexOf(verb ?? "") + 1);
  if (verb === "config") {
    const reads = rest.some((word) =>
      /^--(get|list|get-all|get-regexp)$|^-l$|^(get|list)$/.test(word),
    );
    const names = rest.some((word) => /^(core\.hookspath|seam\.)/i.test(word));
    const values = rest.filter((word) => !word.startsWith("-") && !/^(set|unset)$/.test(word));
    const sets = values.length > 1 || rest.some((word) => /unset|remove|replace/.test(word));
    if (names && sets && !reads) into.loosened.push(said);
  }
  const touchesRefs = rest.some((word) => /refs\/seam(\/|$)|:refs\/seam/.test(word));
  if (touchesRefs && /^(update-ref|symbolic-ref|reflog)$/.test(verb ?? ""))
    into.loosened.push(said);
  if (verb === "rm" || verb === "mv") into.removed.push(...filesIn(rest).map(at));
  if (verb === "checkout" || verb === "restore") into.written.push(...filesIn(rest).map(at));
  if (verb === "clean" && rest.some((word) => /^-\w*[xX]/.test(word))) {
    into.removed.push(...filesIn(rest).map(at));
  }
}

const filesIn = (words: readonly string[]) => words.filter((word) => !word.startsWith("-"));

/** Some agents take a patch as a command. */
function patched(script: string): string[] {
  if (!script.includes("*** Begin Patch")) return [];
  const headers = /^\s*\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;
  return [...script.matchAll(headers)].map(([, path = ""]) => path.trim());
}
