import { posix } from "node:path";
import { AGENTS } from "../agents/index.ts";
import { DAEMON_TITLE } from "../settings/index.ts";
import { readShell, SHELL_UNKNOWN, type ShellCommand } from "../tools/index.ts";
import { namedPlaces } from "./named-places.ts";

/** What a shell command does to files and to Seam, as far as its text says so. */
export interface ShellWrites {
  readonly writes: readonly Written[];
  /** Commands that take Seam out or make it laxer, as they stand there. */
  readonly loosened: readonly string[];
  /** What of it could not be read. */
  readonly problems: readonly string[];
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
  // Packages can do what the user can do.
  ext: (rest) => /^(add|remove|update)$/.test(rest[0] ?? ""),
  pi: (rest) => /^(install|remove|uninstall|update)$/.test(rest[0] ?? ""),
  // Whoever has the page's address can answer in it.
  view: () => true,
};

const SEAM = /(^|\/)(seam|agentseam)(\.js)?(@[^/]*)?$/i;
/** Programs that are given the name of another one to run or to remove. */
const RUNNERS = /^(node|bun|deno|npx|bunx|npm|pnpm|yarn)$/;
const DAEMON = /\/run\/(daemon\.sock|token|curl)\b/;
/** A copy of the folder with the token, or a pattern that fits it. */
const DAEMON_FOLDER = /\/\.seam\/run(\/([^/]*[*?[][^/]*)?)?$/;
const PRINTS_CONTENT =
  /^(cat|tac|head|tail|grep|rg|cp|rsync|scp|tar|zip|base64|xxd|od|less|more|bat)$/;
const FED_BY_DAEMON = /<\s*\S*\/run\/(token|curl)\b/;
const KILLERS = /^(kill|pkill|killall|skill|pgrep|pidof|fuser)$/;
/** What ends every process of a user. */
const ENDS_ALL = /^(loginctl (kill|terminate)-|(pkill|killall)( -\S+)* (-u|-U|--user|--euid)\b)/;

export function shellWrites(script: string): ShellWrites {
  const { commands, writes, code, variables, problems } = readShell(script);
  const around = { script, variables };
  return {
    problems,
    writes: [
      ...writes,
      ...commands.flatMap(namedPlaces),
      ...[...code.flatMap(({ text }) => quotedIn(text)), ...patchedIn(script)].map((path) => ({
        path,
        pattern: false,
        whole: false,
      })),
    ],
    loosened: [
      ...commands.flatMap((command) => loosens(command, around) ?? []),
      ...(FED_BY_DAEMON.exec(script) ?? []).slice(0, 1),
    ],
  };
}

/** What stands around a command. */
interface Around {
  readonly script: string;
  /** Names of those that are set in it. */
  readonly variables: readonly string[];
}

function loosens({ name = "", args, dir }: ShellCommand, around: Around): string | undefined {
  const { script } = around;
  const words = args.flatMap(({ values }) => values);
  const said = [name, ...words].join(" ").replaceAll(SHELL_UNKNOWN, "…");
  // Whoever has the daemon's socket and token can answer for the user.
  const places = words.map((word) => posix.join(dir, word));
  if (places.some((place, at) => DAEMON.test(place) || DAEMON.test(words[at] ?? ""))) return said;
  if (PRINTS_CONTENT.test(name) && [...words, ...places].some((one) => DAEMON_FOLDER.test(one))) {
    return said;
  }
  if (SEAM.test(name)) return loosensSeam(words) ? said : undefined;
  if (name === "git") return loosensGit(words, around) ? said : undefined;
  if (switchesHooksOff(name, words)) return said;
  if (ENDS_ALL.test(said) || (name === "kill" && words.slice(1).includes("-1"))) return said;
  if (KILLERS.test(name)) return endsDaemon(name, words, script) ? said : undefined;
  const named = RUNNERS.test(name) ? words.findIndex((word) => SEAM.test(word)) : -1;
  if (named < 0) return undefined;
  const removes = words.some((word) => /^(un(install|link)|rm|remove)$/.test(word));
  return removes || loosensSeam(words.slice(named + 1)) ? said : undefined;
}

/**
 * Whether a command ends the daemon by its name: it is not called `node`, so that what ends an
 * agent's own servers does not end it as well.
 */
function endsDaemon(name: string, words: Words, script: string): boolean {
  // Which process it is may be known only to another command, such as `cat ~/.seam/run/pid`.
  const isUnknown = words.some((word) => word.includes(SHELL_UNKNOWN));
  if (/seam/i.test(isUnknown ? script : words.join(" "))) return true;
  if (name === "kill" || name === "fuser") return false;
  // Looking for a process ends none.
  if (/^(pgrep|pidof)$/.test(name) && !/\bkill\b/.test(script)) return false;
  return words.some((word) => !word.startsWith("-") && fitsDaemon(word));
}

function fitsDaemon(pattern: string): boolean {
  try {
    return new RegExp(pattern).test(DAEMON_TITLE);
  } catch {
    return false;
  }
}

function loosensSeam(words: Words): boolean {
  const [verb = "", ...rest] = words.filter((word, i) => i > 0 || !word.startsWith("-"));
  return Object.hasOwn(LOOSENING, verb) && LOOSENING[verb]?.(rest) === true;
}

/** An agent's own command that keeps its hooks from running. */
function switchesHooksOff(name: string, words: Words): boolean {
  const said = words.join(" ");
  return AGENTS.some(({ hooks }) => hooks?.installer?.offCommand?.test(`${name} ${said}`));
}

const SECTIONS = /(remove|rename)-section/;
/** Variables with which git is told settings beside those in its files. */
const SETTING = /^GIT_CONFIG_(COUNT|PARAMETERS|KEY_\d+)$/;

/** Whether git is told to look for its hooks elsewhere, or to drop or send away what Seam keeps. */
function loosensGit(words: Words, { script, variables }: Around): boolean {
  const sets = /^(--config-env=)?(core\.(hookspath|fsmonitor)|include(if\..*)?\.path)=/i;
  if (words.some((word) => sets.test(word))) return true;
  if (variables.some((name) => SETTING.test(name)) && /core\.hookspath/i.test(script)) return true;
  if (words.includes("config")) {
    const rest = words.slice(words.indexOf("config") + 1);
    const reads = rest.some((word) => /^(--get.*|--list|-l|get|list)$/.test(word));
    const ofSections = rest.some((word) => SECTIONS.test(word));
    const those = ofSections
      ? /^(core|seam|include(if)?)(\.|$)/i
      : /^(core\.hookspath|seam\.|include(if)?\.)/i;
    const values = rest.filter((word) => !/^-|^(set|unset)$/.test(word));
    const unsets = ofSections || rest.some((word) => word.includes("unset"));
    return rest.some((word) => those.test(word)) && !reads && (values.length > 1 || unsets);
  }
  return words.some((word) => /^(update-ref|symbolic-ref|reflog)$/.test(word))
    ? /refs\/seam(\/|\b)/.test(script)
    : movesRefs(words);
}

/** Whether references of Seam's go to another repository, or are overwritten with those of one. */
function movesRefs(words: Words): boolean {
  const at = words.findIndex((word) => /^(push|fetch|pull|remote)$/.test(word));
  if (at < 0) return false;
  const rest = words.slice(at + 1);
  if (rest.some((word) => /^--mirror(=(fetch|push))?$/.test(word))) return true;
  return rest.some((word) => /(^|[+:])refs\/(seam(\/|$)|\*)/.test(word));
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
