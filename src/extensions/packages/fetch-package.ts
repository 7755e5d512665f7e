import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { messageOf, SeamError, systemCode } from "../../errors/index.ts";
import { readPackage } from "../find/package-resources.ts";
import {
  entryText,
  followed,
  installFolder,
  isNpmSpec,
  type PackageEntry,
  type PackageSource,
  packageIn,
  packagesFolder,
} from "../find/package-source.ts";
import { isProvided } from "../modules/provided.ts";

/** A package with what it depends on, beside its place: nothing of it has run, and nothing uses it yet. */
export interface FetchedPackage {
  /** As settings name it. */
  readonly entry: string;
  /** The package itself. */
  readonly dir: string;
  /** The package with what it depends on. */
  readonly folder: string;
  /** Puts it into its place. */
  keep(): void;
  discard(): void;
}

interface FetchOptions {
  /** The user's Seam folder, or a project's. */
  readonly base: string;
  readonly allowScripts: boolean;
  readonly onStep: (text: string) => void;
  readonly signal?: AbortSignal;
}

type Remote = Exclude<PackageSource, { kind: "folder" }>;

/** What the name of a folder begins with that is still being filled. */
const UNFINISHED = ".new-";

/** Fetches a package with npm or git. Scripts of packages run only if that was allowed. */
export async function fetchPackage(source: Remote, options: FetchOptions): Promise<FetchedPackage> {
  const { base } = options;
  mkdirSync(packagesFolder(base), { recursive: true, mode: 0o700 });
  const folder = join(packagesFolder(base), `${UNFINISHED}${randomUUID()}`);
  mkdirSync(folder);
  const discard = () => rmSync(folder, { recursive: true, force: true });
  try {
    const entry =
      source.kind === "npm"
        ? await fromNpm(source, folder, options)
        : await fromGit(source, folder, options);
    const keep = () => {
      const place = installFolder(base, entry);
      rmSync(place, { recursive: true, force: true });
      renameSync(folder, place);
    };
    return { entry: entryText(entry), dir: packageIn(folder, entry), folder, keep, discard };
  } catch (thrown) {
    discard();
    throw thrown;
  }
}

/** Removes what was left by a process that was killed. Only while nobody else fetches. */
export function removeUnfinished(base: string): void {
  const folder = packagesFolder(base);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(UNFINISHED)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

// Of what a package expects beside it Seam stands in for most: npm would fetch the whole of Pi.
const QUIETLY = ["--no-audit", "--no-fund", "--omit=dev", "--legacy-peer-deps", "--loglevel=error"];

async function fromNpm(
  source: Extract<Remote, { kind: "npm" }>,
  folder: string,
  options: FetchOptions,
): Promise<PackageEntry> {
  const { name, range } = source;
  const spec = range === undefined ? name : `${name}@${range}`;
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  options.onStep(`Fetching ${spec} and what it needs …`);
  const dir = join(folder, "node_modules", name);
  await npm(["install", "--save-exact", ...QUIETLY], ["--", spec], folder, spec, options);
  const version = readPackage(dir)?.version;
  if (version === undefined) throw failed(spec, "npm installed something else.", "Check its name.");
  await installPeers(dir, folder, spec, options);
  return { kind: "npm", name, version, ...followed(source) };
}

async function fromGit(
  source: Extract<Remote, { kind: "git" }>,
  folder: string,
  options: FetchOptions,
): Promise<PackageEntry> {
  const { url, ref = "HEAD" } = source;
  const dir = join(folder, "package");
  options.onStep(`Fetching ${url} …`);
  mkdirSync(dir);
  await git(["init", "--quiet", "--template="], dir, url, options);
  await git(["fetch", "--quiet", "--depth=1", "--no-tags", "--", url, ref], dir, url, options);
  await git(["checkout", "--quiet", "--detach", "FETCH_HEAD"], dir, url, options);
  const { stdout } = await git(["rev-parse", "HEAD"], dir, url, options);
  // Neither hooks nor settings of a repository come along, nor what npm would take for its own.
  for (const name of [".git", ".npmrc"]) rmSync(join(dir, name), { recursive: true, force: true });
  if (existsSync(join(dir, "package.json"))) {
    options.onStep(`Fetching what ${basename(url, ".git")} needs …`);
    await npm(["install", ...QUIETLY], [], dir, url, options);
    await installPeers(dir, dir, url, options);
  }
  return { kind: "git", url, commit: stdout.trim(), ...followed(source) };
}

/** What a package expects beside it, and Seam does not stand in for. */
async function installPeers(
  dir: string,
  cwd: string,
  source: string,
  options: FetchOptions,
): Promise<void> {
  const peers = Object.entries(readPackage(dir)?.peers ?? {})
    .filter(([name, range]) => !isProvided(name) && isNpmSpec(name, range))
    .map(([name, range]) => `${name}@${range}`);
  if (peers.length === 0) return;
  await npm(["install", "--no-save", ...QUIETLY], ["--", ...peers], cwd, source, options);
}

async function npm(
  flags: readonly string[],
  rest: readonly string[],
  cwd: string,
  source: string,
  { allowScripts, signal }: FetchOptions,
): Promise<void> {
  const scripts = allowScripts ? [] : ["--ignore-scripts"];
  const ran = await attempt("npm", [...flags, ...scripts, ...rest], { cwd, signal }, source);
  if (ran.code !== 0) throw failed(source, ...npmFault(ran, source));
}

async function git(
  args: readonly string[],
  cwd: string,
  source: string,
  { signal }: FetchOptions,
): Promise<Ran> {
  const env = {
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: "https:ssh:file",
    GIT_CEILING_DIRECTORIES: dirname(cwd),
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.hooksPath",
    GIT_CONFIG_VALUE_0: "/dev/null",
  };
  const ran = await attempt("git", args, { cwd, env, signal }, source);
  if (ran.code === 0) return ran;
  throw failed(
    source,
    lastLine(ran),
    "Check the address, the branch, and whether you may read it.",
  );
}

async function attempt(
  command: string,
  args: readonly string[],
  options: Parameters<typeof runProgram>[2],
  source: string,
): Promise<Ran> {
  try {
    return await runProgram(command, args, options);
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") {
      throw failed(source, `${command} is not there.`, `Install ${command}, then try again.`);
    }
    throw failed(source, messageOf(thrown), "Try again.");
  }
}

const failed = (source: string, detail: string, hint: string) =>
  new SeamError("SEAM_PACKAGE_INSTALL", { source, detail, hint });

/** How npm names a package, or a version of one, that it did not find. */
const MISSING =
  /No matching version found for (\S+?)\.?\s|'([^'\s]+)' (?:is not in|could not be found)/;

/** Without its version; a name may begin with @. */
const nameIn = (spec: string) => spec.replace(/^npm:/, "").replace(/(?<=.)@.*$/, "");

/** What npm says when it fails, and what can be done about it. */
function npmFault(ran: Ran, source: string): [detail: string, hint: string] {
  const said = ran.stderr + ran.stdout;
  const missing = MISSING.exec(said)?.slice(1).find(Boolean);
  if (missing !== undefined && nameIn(missing) !== nameIn(source)) {
    return [
      `it needs ${missing}, which the registry does not have.`,
      "Choose another version of it, or tell its author.",
    ];
  }
  if (/\bE404\b/.test(said)) return ["there is no such package.", "Check its name."];
  if (/\bETARGET\b/.test(said)) return ["there is no such version.", "Leave the version out."];
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET/.test(said)) {
    return ["the registry cannot be reached.", "Check your connection, then try again."];
  }
  return [lastLine(ran), "Read what npm says; its log is in ~/.npm/_logs."];
}

function lastLine({ stderr, stdout }: Ran): string {
  const lines = (stderr.trim() || stdout.trim()).split("\n").filter((line) => line.trim() !== "");
  return (
    lines.find((line) => /error|fatal/i.test(line)) ??
    lines.at(-1) ??
    "it says nothing"
  ).trim();
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What is kept of what a program says: enough to tell why it failed. */
const MOST_TEXT = 64 * 1024;

/** Runs npm or git without a shell and with nothing to read. An abort ends it. */
function runProgram(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal | undefined },
): Promise<Ran> {
  const { cwd, env = {}, signal } = options;
  return new Promise((done, failed) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      ...(signal && { signal }),
    });
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        said[name] = (said[name] + text).slice(-MOST_TEXT);
      });
    }
    child.once("error", failed);
    child.once("close", (code) => done({ code, ...said }));
  });
}
