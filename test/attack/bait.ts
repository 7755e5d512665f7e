import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A program that writes down that it was run, and for which setting. */
export class Bait {
  readonly #program: string;
  readonly #log: string;
  /** A folder with every hook that git knows, each of them the same program. */
  readonly hooks: string;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#program = join(folder, "bait");
    this.#log = join(folder, "fired");
    this.hooks = join(folder, "hooks");
    writeFileSync(this.#log, "");
    writeFileSync(this.#program, `#!/bin/sh\necho "$1" >>'${this.#log}'\nexit 1\n`);
    chmodSync(this.#program, 0o755);
    mkdirSync(this.hooks);
    for (const hook of HOOKS) {
      const path = join(this.hooks, hook);
      writeFileSync(path, `#!/bin/sh\nexec ${this.command(`hook ${hook}`)}\n`);
      chmodSync(path, 0o755);
    }
  }

  /** A command line that runs it. */
  command(name: string): string {
    return `'${this.#program}' '${name}'`;
  }

  /** Which of them ran. */
  get fired(): string[] {
    return [...new Set(readFileSync(this.#log, "utf8").split("\n").filter(Boolean))];
  }

  forget(): void {
    writeFileSync(this.#log, "");
  }
}

const HOOKS = [
  "applypatch-msg",
  "commit-msg",
  "fsmonitor-watchman",
  "post-checkout",
  "post-commit",
  "post-index-change",
  "post-merge",
  "post-rewrite",
  "post-update",
  "pre-applypatch",
  "pre-auto-gc",
  "pre-commit",
  "pre-merge-commit",
  "pre-push",
  "pre-rebase",
  "pre-receive",
  "prepare-commit-msg",
  "proc-receive",
  "push-to-checkout",
  "reference-transaction",
  "sendemail-validate",
  "update",
] as const;

/**
 * Every setting of git that names a program, or that makes git run one that another setting names.
 * `[section, key, value]`; a value that is left out is the bait itself.
 */
const SETTINGS: readonly (readonly [section: string, key: string, value?: string])[] = [
  ["core", "fsmonitor"],
  ["core", "pager"],
  ["core", "editor"],
  ["core", "askPass"],
  ["core", "sshCommand"],
  ["core", "gitProxy"],
  ["core", "alternateRefsCommand"],
  ["core", "untrackedCache", "true"],
  ["core", "splitIndex", "true"],
  ["pager", "status"],
  ["pager", "log"],
  ["pager", "diff"],
  ["pager", "config"],
  ["pager", "ls-files"],
  ["sequence", "editor"],
  ["credential", "helper"],
  ['credential "https://example.com"', "helper"],
  ["diff", "external"],
  ['diff "bait"', "command"],
  ['diff "bait"', "textconv"],
  ["difftool", "prompt", "false"],
  ['difftool "bait"', "cmd"],
  ["diff", "tool", "bait"],
  ['merge "bait"', "driver"],
  ['mergetool "bait"', "cmd"],
  ["merge", "tool", "bait"],
  ["merge", "verifySignatures", "true"],
  ['filter "bait"', "clean"],
  ['filter "bait"', "smudge"],
  ['filter "bait"', "process"],
  ['filter "bait"', "required", "true"],
  ['filter "odd.name with space"', "clean"],
  ['filter "odd.name with space"', "smudge"],
  ["gpg", "program"],
  ['gpg "openpgp"', "program"],
  ['gpg "x509"', "program"],
  ['gpg "ssh"', "program"],
  ['gpg "ssh"', "defaultKeyCommand"],
  ["commit", "gpgSign", "true"],
  ["tag", "gpgSign", "true"],
  ["push", "gpgSign", "true"],
  ["log", "showSignature", "true"],
  ["interactive", "diffFilter"],
  ["alias", "status", "!false"],
  ["uploadpack", "packObjectsHook"],
  ['protocol "ext"', "allow", "always"],
  ["protocol", "allow", "always"],
  ['remote "origin"', "uploadpack"],
  ['remote "origin"', "receivepack"],
  ['remote "origin"', "promisor", "true"],
  ["extensions", "partialClone", "origin"],
  ["core", "repositoryFormatVersion", "1"],
  ['submodule "sub"', "update"],
  ["submodule", "recurse", "true"],
  ["status", "submoduleSummary", "true"],
  ["diff", "submodule", "log"],
  ['trailer "Seam-Checkpoint"', "command"],
  ['trailer "Seam-Checkpoint"', "cmd"],
  ["gc", "recentObjectsHook"],
  ["gc", "auto", "1"],
  ['tar "bait"', "command"],
  ['browser "bait"', "cmd"],
  ['man "bait"', "cmd"],
  ["imap", "tunnel"],
  ["sendemail", "smtpServer"],
  ['guitool "bait"', "cmd"],
];

/** What an attacker would put into `.git/config`. */
export function hostileConfig(bait: Bait): string {
  const lines = SETTINGS.flatMap(([section, key, value]) => {
    const [, name = section, sub] = /^(\S+) "(.*)"$/.exec(section) ?? [];
    const label = sub === undefined ? `${name}.${key}` : `${name}.${sub}.${key}`;
    const shell = key === "update" ? "!" : "";
    const text = (value ?? `${shell}${bait.command(label)}`).replace(/["\\]/g, "\\$&");
    return [`[${section}]`, `\t${key} = "${text}"`];
  });
  const hooks = ["[core]", `\thooksPath = "${bait.hooks}"`];
  const remote = ['[remote "origin"]', `\turl = "ext::${bait.command("remote.origin.url")}"`];
  return `${[...lines, ...hooks, ...remote].join("\n")}\n`;
}

/** What a committed file can do to make git use the drivers above. */
export const HOSTILE_ATTRIBUTES = "* filter=bait diff=bait merge=bait\n*.odd filter=odd.name\n";
