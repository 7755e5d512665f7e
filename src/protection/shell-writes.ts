import { readShell, SHELL_UNKNOWN, type ShellCommand } from "../tools/index.ts";

/** What a shell command does to files and to Seam, as far as its text says so. */
export interface ShellWrites {
  readonly writes: readonly Written[];
  /** Commands that take Seam out or make it laxer, as they stand there. */
  readonly loosened: readonly string[];
}

export interface Written {
  readonly path: string;
  /** `*`, `?` or `[…]` in it are to be matched against files. */
  readonly pattern: boolean;
  /** Everything below goes with it. */
  readonly whole: boolean;
}

type Words = readonly string[];

/** Commands of Seam's that take something away or agree to something. */
const LOOSENING: Readonly<Record<string, (rest: Words) => boolean>> = {
  disable: () => true,
  trust: (rest) => !rest.includes("--json") && !rest.includes("--help"),
  daemon: (rest) => rest.includes("stop") || rest.includes("restart"),
  clean: () => true,
  forget: () => true,
  // What it sends leaves the machine.
  sync: () => true,
  // It takes away what Seam has to say to the user.
  doctor: (rest) => rest.includes("--fix"),
  // An agent must not answer for the user, nor speak as the user.
  inbox: (rest) => rest.some((word) => /^(answer|-w|--watch)$/.test(word)),
  rules: (rest) => rest.some((word) => word === "remove" || word === "edit"),
  hold: (rest) => rest.includes("--off"),
  say: () => true,
  // What a crew's people are asked, what is brought to their branch, what is thrown away.
  crew: (rest) => /^(answer|land|clean|run|resume|retry|cancel|worker)$/.test(rest[0] ?? ""),
  // Whoever has the page's address can answer in it.
  view: () => true,
};

const SEAM = /(^|\/)(seam|agentseam)(\.js)?(@[^/]*)?$/;
/** Programs that are given the name of another one to run or to remove. */
const RUNNERS = /^(node|bun|deno|npx|bunx|npm|pnpm|yarn)$/;
const DAEMON = /\/run\/(daemon\.sock|token|curl)\b/;
const KILLERS = /^(kill|pkill|killall)$/;

export function shellWrites(script: string): ShellWrites {
  const { commands, writes, code } = readShell(script);
  return {
    writes: [
      ...writes,
      ...[...code.flatMap(({ text }) => quotedIn(text)), ...patchedIn(script)].map((path) => ({
        path,
        pattern: false,
        whole: false,
      })),
    ],
    loosened: commands.flatMap((command) => loosens(command, script) ?? []),
  };
}

function loosens({ name = "", args }: ShellCommand, script: string): string | undefined {
  const words = args.flatMap(({ values }) => values);
  const said = [name, ...words].join(" ").replaceAll(SHELL_UNKNOWN, "…");
  // Whoever has the daemon's socket and token can answer for the user.
  if (words.some((word) => DAEMON.test(word))) return said;
  if (SEAM.test(name)) return loosensSeam(words) ? said : undefined;
  if (name === "git") return loosensGit(words) ? said : undefined;
  if (KILLERS.test(name)) {
    // Which process it is may be known only to another command, such as `cat ~/.seam/run/pid`.
    const text = words.some((word) => word.includes(SHELL_UNKNOWN)) ? script : words.join(" ");
    return /seam/i.test(text) ? said : undefined;
  }
  const named = RUNNERS.test(name) ? words.findIndex((word) => SEAM.test(word)) : -1;
  if (named < 0) return undefined;
  const removes = words.some((word) => /^(un(install|link)|rm|remove)$/.test(word));
  return removes || loosensSeam(words.slice(named + 1)) ? said : undefined;
}

function loosensSeam(words: Words): boolean {
  const [verb = "", ...rest] = words.filter((word, i) => i > 0 || !word.startsWith("-"));
  return Object.hasOwn(LOOSENING, verb) && LOOSENING[verb]?.(rest) === true;
}

/** Whether git is told to look for its hooks elsewhere, or to drop what Seam keeps. */
function loosensGit(words: Words): boolean {
  if (words.some((word) => /^core\.(hookspath|fsmonitor)=/i.test(word))) return true;
  if (words.includes("config")) {
    const rest = words.slice(words.indexOf("config") + 1);
    const reads = rest.some((word) => /^(--get.*|--list|-l|get|list)$/.test(word));
    const names = rest.some((word) => /^(core\.hookspath|seam\.|include(if)?\.)/i.test(word));
    const values = rest.filter((word) => !/^-|^(set|unset)$/.test(word));
    const unsets = rest.some((word) => /unset|remove-section/.test(word));
    return names && !reads && (values.length > 1 || unsets);
  }
  const changesRefs = words.some((word) => /^(update-ref|symbolic-ref|reflog)$/.test(word));
  return changesRefs && words.some((word) => /refs\/seam(\/|$)/.test(word));
}

/** What stands in quotes in a program of another language: it may be a file that it writes. */
function quotedIn(code: string): string[] {
  return [...code.matchAll(/(["'`])((?:(?!\1)[^\\\n]){1,400})\1/g)].map(([, , text = ""]) => text);
}

/** Some agents take a patch as a command. */
function patchedIn(script: string): string[] {
  if (!script.includes("*** Begin Patch")) return [];
  const headers = /^\s*\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;
  return [...script.matchAll(headers)].map(([, path = ""]) => path.trim());
}
