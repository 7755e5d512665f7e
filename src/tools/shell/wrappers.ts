import { posix } from "node:path";
import { SHELL_UNKNOWN, type ShellWord } from "./reading.ts";

/** How a program that starts another one takes its own options. */
interface Wrapper {
  /** Letters of options that take a value. */
  readonly valued: string;
  /** Long options whose value stands in the next word. */
  readonly long?: readonly string[];
  /** Words that stand before the command, such as the time of `timeout`. */
  readonly skip?: number;
  /** Options after which nothing is started. */
  readonly asks?: readonly string[];
  /** The rest is text for a shell, as with `watch`. */
  readonly text?: boolean;
  /** Options with the folder in which the command runs. */
  readonly folder?: readonly string[];
}

/** Programs that start what stands behind them. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: "CDghpRrTtUu",
    long: ["--user", "--group", "--host", "--chdir", "--prompt", "--role", "--type"],
    asks: ["-l", "--list", "-v", "-k", "-K"],
    folder: ["-D", "--chdir"],
  },
  doas: { valued: "Cu" },
  run0: { valued: "ugDn", long: ["--user", "--group", "--chdir"], folder: ["-D", "--chdir"] },
  "systemd-run": {
    valued: "pEHMut",
    long: ["--property", "--setenv", "--unit", "--slice", "--working-directory", "--on-active"],
    folder: ["--working-directory"],
  },
  pkexec: { valued: "", long: ["--user"] },
  env: { valued: "uC", long: ["--unset", "--chdir"], folder: ["-C", "--chdir"] },
  command: { valued: "", asks: ["-v", "-V"] },
  builtin: { valued: "" },
  exec: { valued: "a" },
  nohup: { valued: "" },
  setsid: { valued: "" },
  time: { valued: "fo", long: ["--format", "--output"] },
  nice: { valued: "n", long: ["--adjustment"] },
  ionice: { valued: "cnpPu", long: ["--class", "--classdata"] },
  timeout: { valued: "ks", long: ["--kill-after", "--signal"], skip: 1 },
  gtimeout: { valued: "ks", long: ["--kill-after", "--signal"], skip: 1 },
  stdbuf: { valued: "ioe", long: ["--input", "--output", "--error"] },
  chrt: { valued: "", skip: 1 },
  taskset: { valued: "", skip: 1 },
  chroot: { valued: "", skip: 1 },
  gosu: { valued: "", skip: 1 },
  "su-exec": { valued: "", skip: 1 },
  flock: { valued: "wE", long: ["--timeout", "--conflict-exit-code"], skip: 1 },
  busybox: { valued: "" },
  toybox: { valued: "" },
  unbuffer: { valued: "" },
  fakeroot: { valued: "lsib" },
  caffeinate: { valued: "tw" },
  strace: { valued: "eopsSauPI" },
  ltrace: { valued: "eopsSauPI" },
  unshare: { valued: "SGRw" },
  nsenter: { valued: "tSG" },
  xargs: {
    valued: "aEILnPsd",
    long: ["--arg-file", "--delimiter", "--max-args", "--max-procs", "--replace", "--max-lines"],
  },
  parallel: { valued: "jIaSN", long: ["--jobs", "--arg-file", "--delay", "--joblog"] },
  watch: { valued: "n", long: ["--interval"], text: true },
  ssh: { valued: "BbcDEeFIiJLlmOopQRSWw", skip: 1, text: true },
};

/** A command inside another one. */
export interface Unwrapped {
  /** Its words, or text for a shell. */
  readonly words: readonly ShellWord[];
  readonly text: boolean;
  /** Where it runs, if not where the wrapper does. */
  readonly folder?: ShellWord;
}

/** What a wrapper starts. Undefined: this is no wrapper, or it starts nothing. */
export function unwrap(name: string, args: readonly ShellWord[]): Unwrapped | undefined {
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (!wrapper) return undefined;
  let folder: ShellWord | undefined;
  let at = 0;
  for (; at < args.length; at++) {
    const text = only(args[at]);
    if (text === undefined) break;
    if (wrapper.asks?.includes(text)) return undefined;
    // `env -S` holds the words of a command in one.
    if (name === "env" && /^(-\w*S|--split-string)/.test(text)) return splitString(args, at, text);
    if (text === "--") {
      at++;
      break;
    }
    if (/^\w+=/.test(text) && (name === "env" || name === "sudo" || name === "doas")) continue;
    if (!/^-./.test(text)) break;
    const takesNext = text.startsWith("--")
      ? (wrapper.long ?? []).includes(text)
      : wrapper.valued.includes(text.slice(-1)) &&
        !wrapper.valued.includes(text.charAt(1)) === text.length > 2;
    folder = folderIn(wrapper, text, takesNext ? args[at + 1] : undefined) ?? folder;
    if (takesNext) at++;
  }
  const words = args.slice(at + (wrapper.skip ?? 0));
  if (words.length === 0) return undefined;
  return { words, text: wrapper.text === true, ...(folder && { folder }) };
}

/** The folder that an option names: in the next word, or in the same one. */
function folderIn(
  { folder = [] }: Wrapper,
  text: string,
  next: ShellWord | undefined,
): ShellWord | undefined {
  for (const option of folder) {
    const isLong = option.startsWith("--");
    if (next && (isLong ? text === option : text.endsWith(option.slice(1)))) return next;
    const glued = isLong ? `${option}=` : option;
    if (!next && text.startsWith(glued)) {
      return { values: [text.slice(glued.length)], pattern: false };
    }
  }
  return undefined;
}

function splitString(args: readonly ShellWord[], at: number, text: string): Unwrapped {
  const glued = text.replace(/^(-\w*S|--split-string=?)/, "");
  const rest = args.slice(at + 1);
  return {
    words: glued === "" ? rest : [{ values: [glued], pattern: false }, ...rest],
    text: true,
  };
}

/** The only value a word can have. */
export function only(word: ShellWord | undefined): string | undefined {
  return word?.values.length === 1 ? word.values[0] : undefined;
}

/**
 * The name of the program behind a path, in small letters: where file names make no difference between
 * them and capitals, as on macOS, `GIT` is git.
 */
export function programOf(value: string | undefined): string | undefined {
  const name = value === undefined ? "" : posix.basename(value).toLowerCase();
  return name === "" || name.includes(SHELL_UNKNOWN) ? undefined : name;
}
