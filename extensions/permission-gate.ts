import { type ExtensionAPI, readShell, type ShellCommand, shellCommandIn } from "agentseam";

type Rule = readonly [
  what: string,
  runs: (args: readonly string[], command: ShellCommand) => boolean,
];

const some = (args: readonly string[], ...patterns: RegExp[]) =>
  args.some((arg) => patterns.some((pattern) => pattern.test(arg)));
const FORCE = /^-[a-z]*f|^--force$/;
const DISK = /^(of=)?\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|mapper)/;

/** What is hard to take back, by program. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  rm: [
    ["deletes whole folders", (args) => some(args, /^-[a-z]*r/i, /^--rec/)],
    ["deletes whatever is found", (_, { via }) => via.includes("find") || via.includes("fd")],
  ],
  rsync: [["deletes what is only at the target", (args) => some(args, /^--del/)]],
  shred: [["destroys files", () => true]],
  sudo: [["runs as root", () => true]],
  doas: [["runs as root", () => true]],
  pkexec: [["runs as root", () => true]],
  run0: [["runs as root", () => true]],
  su: [["runs as another user", () => true]],
  chmod: [
    [
      "opens files to everyone",
      (args) => some(args, /^[0-7]?[0-7]{2}[2367]$/, /^[ugo]*[ao][ugo]*[+=][rxst]*w/),
    ],
  ],
  chown: [["opens files to everyone", (args) => some(args, /\b777\b/)]],
  dd: [["writes over a disk", (args) => some(args, DISK)]],
  tee: [["writes over a disk", (args) => some(args, DISK)]],
  cp: [["writes over a disk", (args) => DISK.test(args.at(-1) ?? "")]],
  mkfs: [["writes over a disk", () => true]],
  wipefs: [["writes over a disk", () => true]],
  mkswap: [["writes over a disk", () => true]],
  shutdown: [["stops the machine", () => true]],
  reboot: [["stops the machine", () => true]],
  poweroff: [["stops the machine", () => true]],
  halt: [["stops the machine", () => true]],
};

/** The same for git, by its command. */
const GIT_RULES: Readonly<Record<string, readonly Rule[]>> = {
  push: [
    [
      "rewrites the remote branch",
      (args) => some(args, /^--force/, /^-[a-z]*f/, /^--mirror$/, /^\+./),
    ],
    [
      "deletes a remote branch",
      (args) => some(args, /^--delete$/, /^-[a-z]*d/, /^:./, /^--prune$/),
    ],
  ],
  reset: [["throws away local work", (args) => some(args, /^--hard$/, /^--merge$/, /^--keep$/)]],
  clean: [
    ["throws away local work", (args) => some(args, FORCE) && !some(args, /^-[a-z]*n/, /^--dry/)],
  ],
  checkout: [["throws away local work", throwsAway]],
  switch: [["throws away local work", (args) => some(args, FORCE, /^--discard/)]],
  restore: [
    [
      "throws away local work",
      (args) => !some(args, /^--staged$/, /^-[a-z]*S/) || some(args, /^--work/, /^-[a-z]*W/),
    ],
  ],
  stash: [["throws away stashed work", ([name]) => name === "drop" || name === "clear"]],
  branch: [
    [
      "deletes a branch that may not be merged",
      (args) =>
        some(args, /^-[a-z]*D/) || (some(args, FORCE) && some(args, /^-[a-z]*d/, /^--delete$/)),
    ],
  ],
  worktree: [["throws away local work", (args) => args[0] === "remove" && some(args, FORCE)]],
  reflog: [["forgets how to get work back", ([name]) => name === "expire" || name === "delete"]],
  gc: [["forgets how to get work back", (args) => some(args, /^--prune=(now|all)/)]],
  "update-ref": [["deletes a branch", (args) => some(args, /^-[a-z]*d/)]],
  "filter-branch": [["rewrites history", () => true]],
  "filter-repo": [["rewrites history", () => true]],
};

/** `git checkout` with paths, or with force. `git checkout main` only changes the branch. */
function throwsAway(args: readonly string[], command: ShellCommand): boolean {
  if (some(args, FORCE, /^--ours$/, /^--theirs$/)) return true;
  if (some(args, /^-[a-z]*[bB]/, /^--orphan$/, /^-t$/, /^--track$/, /^--detach$/)) return false;
  const operands = args.filter((arg) => !arg.startsWith("-"));
  return (
    command.args.some(({ values }) => values[0] === "--") ||
    operands.length > 1 ||
    some(operands, /^\.{1,2}(\/|$)|^:\//)
  );
}

/** What stands behind `git`, without what comes before its own command. */
function gitArgs(args: readonly string[]): readonly string[] {
  let at = 0;
  while (args[at]?.startsWith("-")) {
    at += /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(args[at] ?? "") ? 2 : 1;
  }
  return args.slice(at);
}

/** Why a command should not run unasked. */
function dangerOf(text: string): string | undefined {
  const { commands, writes, problems } = readShell(text);
  for (const command of commands) {
    const { name } = command;
    if (name === undefined) return "runs something that cannot be known before";
    // A word that can be several things counts as all of them.
    const args = command.args.flatMap(({ values }) => values);
    const [gitCommand = "", ...rest] = name === "git" ? gitArgs(args) : [];
    const rules =
      name === "git"
        ? rulesOf(GIT_RULES, gitCommand)
        : rulesOf(RULES, name.replace(/^mkfs\..*/, "mkfs"));
    const found = rules.find(([, runs]) => runs(name === "git" ? rest : args, command));
    if (found) return found[0];
  }
  if (writes.some(({ path }) => DISK.test(path))) return "writes over a disk";
  return problems.length > 0 ? "cannot be read" : undefined;
}

function rulesOf(rules: Readonly<Record<string, readonly Rule[]>>, name: string): readonly Rule[] {
  return Object.hasOwn(rules, name) ? (rules[name] ?? []) : [];
}

/**
 * Asks before a dangerous command runs, in the agent's own dialog where it has one. With nobody to
 * ask, it is blocked, and the model is told why. It reads the command as a shell does, also what
 * stands in `sh -c`, behind `xargs` or in `$(…)`, but not the scripts and programs it starts: a seat
 * belt, not a sandbox.
 *
 * Shows: the gate `tool_call` with `{ ask: true }`, `readShell`.
 *
 * @example
 * seam run -e extensions/permission-gate.ts -p "Clean up the build folder"
 */
export default function permissionGate(pi: ExtensionAPI) {
  pi.on("tool_call", ({ toolName, input }) => {
    // Also the shells that MCP servers bring along.
    const command = shellCommandIn(input);
    if (command === undefined || /^(write|edit|read|grep|find|ls)$/.test(toolName)) return;
    const danger = dangerOf(command);
    if (danger) return { ask: true, reason: `"${command}" ${danger}.` };
  });
}
