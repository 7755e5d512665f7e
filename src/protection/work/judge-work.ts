import { tmpdir } from "node:os";
import { relative, resolve } from "node:path";
import type { ToolReading } from "../../agents/index.ts";
import { canWrite } from "../../agents/index.ts";
import { isInside } from "../../files/index.ts";
import {
  globToRegExp,
  pathFits,
  readShell,
  SHELL_UNKNOWN,
  type ShellCommand,
  type ShellReading,
} from "../../tools/index.ts";
import { targetsOf } from "../targets.ts";
import { type Call, mentionsOf } from "../written-paths.ts";
import { writtenOutside } from "./confined.ts";
import type { Grant } from "./grant.ts";
import { isPeoplesCommand } from "./peoples-commands.ts";
import { notReadOnly } from "./read-only-command.ts";

const ASK = "If it has to be done, say so in your result or ask with crew_ask.";

/** Files that hold secrets: nobody's task needs them. */
const SENSITIVE = [
  "**/.env",
  "**/.env.*",
  "**/*.pem",
  "**/id_rsa*",
  "**/id_ed25519*",
  "**/.ssh/**",
  "**/.aws/**",
  "**/.gnupg/**",
  "**/.netrc",
  "**/.git-credentials",
  "**/.config/gh/**",
  "**/.kube/config",
];
const HARMLESS_ENV = /\.env\.(example|sample|template|dist|defaults?)$|\.pub$/;

/** Tools that only look beyond this machine, and those through which a crew speaks. */
const READER_TOOLS =
  /^(web_?(search|fetch)|fetch(_?url)?|url_?fetch|google_web_search|ls|subagent|task.*|todo.*|exit.*|structuredoutput|report_?intent|ask_?user.*|update_?plan|(.*[_.])?crew_(send|ask|status|result))$/i;

/** Why an agent of a crew must not make a call; undefined if it may. */
export function judgeWork(
  grant: Grant,
  call: Call & Partial<ToolReading>,
  cwd: string,
): string | undefined {
  const secret = sensitiveIn(call, cwd);
  if (secret !== undefined)
    return `${secret} holds secrets, which no task of a crew touches. ${ASK}`;
  const { paths, commands } = mentionsOf(call);
  const folder = typeof call.input.cwd === "string" ? resolve(cwd, call.input.cwd) : cwd;
  for (const command of commands) {
    const why = judgeCommand(grant, command, folder);
    if (why !== undefined) return why;
  }
  if (grant.access === "read") {
    return call.name === "bash" || isReader(call) ? undefined : readerReason(call.name);
  }
  for (const path of paths) {
    const why = judgeWrite(grant, path, cwd);
    if (why !== undefined) return why;
  }
  return undefined;
}

function isReader(call: Call & Partial<ToolReading>): boolean {
  return (
    !canWrite(call) || READER_TOOLS.test(call.name) || READER_TOOLS.test(call.nativeName ?? "")
  );
}

function readerReason(tool: string): string {
  return `Your role only reads: ${tool} is not for it. ${ASK}`;
}

function judgeCommand(grant: Grant, script: string, cwd: string): string | undefined {
  const reading = readShell(script);
  const pushes = reading.commands.find(isPush);
  if (pushes && !grant.mayPush)
    return `Nothing of a crew's is pushed or published by its agents. ${ASK}`;
  if (reading.commands.some(speaksForPeople)) {
    return `That is for a person to decide, not for an agent of a crew. ${ASK}`;
  }
  if (reading.commands.some(touchesCrew)) {
    return "The branches and worktrees of a crew are Seam's to manage.";
  }
  if (grant.access === "read") {
    const why = readerWhy(grant, script, reading);
    return why === undefined ? undefined : `Your role only reads. ${why} ${ASK}`;
  }
  for (const { path } of reading.writes) {
    // Where it will be is not known: the difference is looked at when the work is done.
    if (path.includes(SHELL_UNKNOWN)) continue;
    const why = judgeWrite(grant, path, cwd);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** In a sandbox everything may run; what would only fail there is said before. */
function readerWhy(
  { allowCommands, sandbox }: Grant,
  script: string,
  reading: ShellReading,
): string | undefined {
  const why = notReadOnly(script, reading, allowCommands);
  if (why === undefined || !sandbox) return why;
  const path = writtenOutside(script);
  return path === undefined ? undefined : `It writes to ${path}.`;
}

function judgeWrite(grant: Grant, path: string, cwd: string): string | undefined {
  for (const target of targetsOf(path, cwd)) {
    const isOwn = isInside(target, grant.workspace);
    const isOff = grant.offLimits.some((folder) => isInside(target, folder));
    if (!isOwn && isOff)
      return `${path} belongs to the crew itself. Work in ${grant.workspace} only.`;
    if (!isOwn && !isPassing(target)) {
      return `${path} is outside of your workspace. Work in ${grant.workspace} only.`;
    }
    if (!isOwn) continue;
    const inside = relative(grant.workspace, target);
    if (inside === ".git") return "The worktree's link to its repository is not to be changed.";
    if (strays([inside], grant.files).length > 0) {
      return `${inside} is not among the files of your task (${grant.files?.join(", ")}). ${ASK}`;
    }
  }
  return undefined;
}

/** Files that a task was not declared to change. */
export function strays(paths: readonly string[], files: readonly string[] | undefined): string[] {
  if (files === undefined) return [];
  const patterns = files.map((glob) => globToRegExp(glob.replace(/^\.\//, ""), { braces: true }));
  const isDeclared = (path: string) =>
    patterns.some((pattern) => pattern.test(path)) ||
    // A folder stands for everything in it.
    files.some((glob) => isInside(path, glob.replace(/^\.\//, "").replace(/\/$/, "")));
  return paths.filter((path) => path !== "" && !isDeclared(path));
}

/** Where programs put what nobody keeps. */
function isPassing(path: string): boolean {
  return ["/dev", "/tmp", "/var/tmp", tmpdir()].some((folder) => isInside(path, folder));
}

function sensitiveIn(call: Call, cwd: string): string | undefined {
  const isSensitive = (path: string) =>
    !HARMLESS_ENV.test(path) && SENSITIVE.some((pattern) => pathFits(path, pattern) === "yes");
  const named = ["read", "write", "edit", "grep"].includes(call.name)
    ? [call.input.path, call.nativeInput?.file_path].filter((one) => typeof one === "string")
    : [];
  const command =
    typeof call.input.command === "string" && call.name === "bash" ? call.input.command : "";
  const words =
    command === ""
      ? []
      : readShell(command).commands.flatMap(({ args, name }) =>
          name === "echo" || name === "printf" ? [] : args.flatMap(({ values }) => values),
        );
  return [...named, ...words].find((path) => isSensitive(path) || isSensitive(resolve(cwd, path)));
}

/** Whether a command sends work somewhere else. */
function isPush({ name, args }: ShellCommand): boolean {
  const words = args.flatMap(({ values }) => values);
  if (name === "git") return words.some((word) => /^(push|send-pack|send-email)$/.test(word));
  if (name === "gh" || name === "glab") {
    return words.some((word) =>
      /^(create|merge|edit|close|delete|upload|comment|review|push)$/.test(word),
    );
  }
  return (
    /^(npm|pnpm|yarn|cargo|twine|gem)$/.test(name ?? "") &&
    words.some((word) => /^(publish|push|upload)$/.test(word))
  );
}

/** Whether a command is one of Seam's own that only people may use, however the program is started. */
function speaksForPeople({ name, args }: ShellCommand): boolean {
  const words = [name ?? "", ...args.flatMap(({ values }) => values)];
  const at = words.findIndex((word) => /(^|\/)(seam(\.js)?|agentseam(@.*)?)$/.test(word));
  return at >= 0 && isPeoplesCommand(words.slice(at + 1));
}

/** Whether a command changes worktrees, or the branches that a crew's work is on. */
function touchesCrew({ name, args }: ShellCommand): boolean {
  if (name !== "git") return false;
  const words = args.flatMap(({ values }) => values);
  const verb = words.indexOf("worktree");
  if (verb >= 0 && /^(add|remove|move|prune|lock|unlock|repair)$/.test(words[verb + 1] ?? ""))
    return true;
  const changesRefs = words.some((word) =>
    /^(branch|update-ref|symbolic-ref|push|tag)$/.test(word),
  );
  return changesRefs && words.some((word) => /(^|[/:])seam\/(crew|tasks)(\/|$)/.test(word));
}
