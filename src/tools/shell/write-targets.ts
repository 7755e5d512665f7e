import { posix } from "node:path";
import { type Arguments, takeApart } from "./arguments.ts";
import type { ShellWord } from "./reading.ts";

/** A word that names a place that is written to. */
export interface Target {
  readonly word: ShellWord;
  /** Everything below goes with it. */
  readonly whole: boolean;
  /** Only if the folder it is in is there. */
  readonly inFolder?: boolean;
}

/** Which of its arguments a program writes to. */
interface Writer {
  /** Options that take a value. */
  readonly valued?: string;
  readonly long?: string;
  readonly targets: (args: Arguments) => readonly Target[];
}

const one = (word: ShellWord | undefined, whole = false): Target[] =>
  word ? [{ word, whole }] : [];
const every = (words: readonly ShellWord[], whole = false) =>
  words.map((word) => ({ word, whole }));
const has = ({ flags }: Arguments, ...names: string[]) => names.some((name) => flags.has(name));

const all: Writer = { targets: ({ operands }) => every(operands) };
/** The last argument, or the folder that `-t` names; in a folder, the name of what is copied. */
const last: Writer = {
  valued: "tmogSB",
  long: "--target-directory --mode --owner --group --suffix --exclude --include --rsh",
  targets: (args) => {
    const { operands, given } = args;
    const named = given.get("-t") ?? given.get("--target-directory");
    const target = named ?? operands.at(-1);
    const sources = named ? operands : operands.slice(0, -1);
    const inside = sources.flatMap((source) => (target ? [within(target, source)] : []));
    return [
      ...one(target, has(args, "--delete", "--remove-destination")),
      ...inside.map((word) => ({ word, whole: false, inFolder: true })),
    ];
  },
};
const output = (...names: string[]): Writer => ({
  valued: names.flatMap((name) => (name.length === 2 ? [name.slice(1)] : [])).join(""),
  long: names.filter((name) => name.length > 2).join(" "),
  targets: ({ given }) => names.flatMap((name) => one(given.get(name))),
});
/** All but the first, which says what is done. */
const afterFirst: Writer = {
  long: "--reference",
  targets: (args) => {
    // `chmod -x` says what is done with what looks like an option.
    const saysHow = has(args, "--reference", "-r", "-w", "-x", "-X", "-s", "-t");
    const from = saysHow ? 0 : 1;
    return every(args.operands.slice(from), has(args, "-R", "--recursive"));
  },
};

const WRITERS: Readonly<Record<string, Writer>> = {
  rm: {
    targets: (args) => every(args.operands, has(args, "-r", "-R", "--recursive")),
  },
  rmdir: all,
  unlink: all,
  shred: { valued: "ns", long: "--iterations --size", targets: all.targets },
  trash: { targets: ({ operands }) => every(operands, true) },
  touch: { valued: "dtr", long: "--date --reference", targets: all.targets },
  truncate: { valued: "sr", long: "--size --reference", targets: all.targets },
  mkdir: { valued: "m", long: "--mode", targets: all.targets },
  mkfifo: all,
  mknod: { targets: ({ operands }) => one(operands[0]) },
  tee: all,
  sponge: all,
  chmod: afterFirst,
  chown: afterFirst,
  chgrp: afterFirst,
  chattr: afterFirst,
  setfacl: { valued: "mxMX", targets: all.targets },
  cp: last,
  install: last,
  rsync: last,
  scp: last,
  // Of a link the other end counts too: it gets a second name.
  ln: { valued: "tS", targets: (args) => [...every(args.operands), ...last.targets(args)] },
  mv: {
    valued: "tS",
    long: "--target-directory --suffix",
    targets: (args) => [...every(args.operands, true), ...last.targets(args)],
  },
  rename: afterFirst,
  dd: {
    targets: ({ operands }) =>
      operands.flatMap(({ values, pattern }) =>
        values
          .filter((value) => value.startsWith("of="))
          .map((value) => ({ word: { values: [value.slice(3)], pattern }, whole: false })),
      ),
  },
  sed: inPlace("sed"),
  gsed: inPlace("sed"),
  perl: inPlace("perl"),
  ruby: inPlace("perl"),
  awk: awk(),
  gawk: awk(),
  curl: output("-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar"),
  wget: output("-O", "--output-document", "-o", "--output-file", "-P", "--directory-prefix"),
  sort: output("-o", "--output"),
  gpg: output("-o", "--output"),
  pandoc: output("-o", "--output"),
  "ssh-keygen": output("-f"),
  tar: {
    valued: "fCTX",
    long: "--file --directory --one-top-level",
    targets: (args) => {
      const { given, operands } = args;
      // What was packed goes.
      const gone = has(args, "--remove-files") ? every(operands, true) : [];
      // The first word may hold the letters without a dash.
      const letters = operands[0]?.values[0] ?? "";
      const old = /^[a-zA-Z]+$/.test(letters) ? letters : "";
      const unpacks = has(args, "-x", "--extract", "--get") || old.includes("x");
      const folders = ["-C", "--directory", "--one-top-level"].flatMap((name) =>
        one(given.get(name)),
      );
      // Which files are in it is not to be seen. Without a dash, folders stand behind the letters.
      if (unpacks) return [...folders, ...(old.includes("C") ? every(operands.slice(1)) : [])];
      const made = has(args, "-c", "--create") || old.includes("c");
      const target = given.get("-f") ?? given.get("--file") ?? operands[1];
      return [...gone, ...(made ? one(target) : [])];
    },
  },
  unzip: output("-d"),
  zip: {
    targets: (args) => {
      const [made, ...packed] = args.operands;
      return [...one(made), ...(has(args, "-m", "--move") ? every(packed, true) : [])];
    },
  },
  time: output("-o", "--output"),
  gzip: all,
  gunzip: all,
  cpio: output("-D", "--directory"),
  "7z": output("-o"),
  "7za": output("-o"),
  // What it makes begins with this.
  split: { valued: "abCln", targets: ({ operands }) => one(operands[1]) },
  gcc: output("-o"),
  cc: output("-o"),
  "g++": output("-o"),
  clang: output("-o"),
  sqlite3: { targets: ({ operands }) => one(operands[0]) },
  mount: { valued: "to", targets: ({ operands }) => one(operands.at(-1), true) },
  patch: {
    valued: "idpo",
    long: "--input --directory --output",
    targets: ({ operands, given }) =>
      [
        operands[0],
        ...["-d", "--directory", "-o", "--output"].map((name) => given.get(name)),
      ].flatMap((word) => one(word)),
  },
  git: git(),
  vi: all,
  vim: { valued: "cu", targets: all.targets },
  nvim: { valued: "cu", targets: all.targets },
  ex: { valued: "cu", targets: all.targets },
  ed: all,
  nano: all,
  emacs: all,
};

function inPlace(kind: "sed" | "perl"): Writer {
  return {
    valued: kind === "sed" ? "efl" : "eEIMm",
    long: "--expression --file",
    targets: (args) => {
      const { flags, operands } = args;
      if (!has(args, "-i", "--in-place")) return [];
      const scripted = ["-e", "-E", "-f", "--expression", "--file"].some(
        (name) => flags.has(name) && (kind === "perl" || name !== "-E"),
      );
      return every(scripted ? operands : operands.slice(1));
    },
  };
}

function awk(): Writer {
  return {
    valued: "vFfi",
    long: "--include --file",
    targets: (args) => {
      const included = args.given.get("-i") ?? args.given.get("--include");
      if (included?.values[0] !== "inplace") return [];
      return every(has(args, "-f") ? args.operands : args.operands.slice(1));
    },
  };
}

/** What git changes in the work tree, as far as the command names it. */
function git(): Writer {
  const named = ["restore", "rm", "mv", "clean"];
  /** What they are given may be the folder they make: it is no more than that. */
  const making = ["clone", "init", "worktree", "submodule", "bundle"];
  const folders = ["--separate-git-dir", "--directory", "-o", "--output", "--output-directory"];
  return {
    valued: "Ccso",
    long: `--git-dir --work-tree --source --pathspec-from-file ${folders.slice(0, 2).join(" ")}`,
    targets: ({ operands, dashes, given, flags }) => {
      const [command, ...rest] = operands;
      const name = command?.values[0] ?? "";
      const placed = folders.flatMap((option) => one(given.get(option)));
      const paths =
        name === "checkout" ? (dashes === undefined ? [] : operands.slice(dashes)) : rest;
      if (making.includes(name)) return [...every(rest), ...placed];
      if (name === "stash" && dashes !== undefined) return every(operands.slice(dashes), true);
      if (name !== "checkout" && !named.includes(name)) return placed;
      if (name === "restore" && flags.has("--staged") && !flags.has("--worktree")) return [];
      const folder = given.get("-C");
      return every(folder ? paths.map((path) => below(folder, path)) : paths, true);
    },
  };
}

/** The place of the same name in a folder. */
function within(folder: ShellWord, { values, pattern }: ShellWord): ShellWord {
  return below(folder, { values: values.map((value) => posix.basename(value)), pattern });
}

function below(folder: ShellWord, { values, pattern }: ShellWord): ShellWord {
  return {
    values: folder.values.flatMap((dir) => values.map((value) => posix.join(dir, value))),
    pattern: pattern || folder.pattern,
  };
}

/** What a program writes to, by its arguments. */
export function writeTargets(name: string, args: readonly ShellWord[]): readonly Target[] {
  const writer = Object.hasOwn(WRITERS, name) ? WRITERS[name] : undefined;
  if (!writer) return [];
  return writer.targets(takeApart(args, writer.valued, writer.long));
}
