import { accessSync, constants, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../files/index.ts";
import { builtFile } from "../../settings/index.ts";
import { type DaemonPaths, daemonPaths, prepareFolders } from "../daemon-paths.ts";
import { ownToken } from "../token.ts";
import {
  type ClientFile,
  type ClientList,
  changedFiles,
  digestOf,
  environmentFile,
  keptEnvironment,
  listPath,
  readList,
  scriptFiles,
  serverFile,
  spareEnvironment,
  spareFiles,
  spareListPath,
} from "./client-files.ts";
import { writeCurlOptions } from "./curl-options.ts";
import { nativeClient, sourceDigest } from "./native-client.ts";

export interface EnsuredClient {
  /** What agents run. */
  readonly hook: string;
  /** False if the client was there already, exactly as it should be. */
  readonly written: boolean;
  /** Files that somebody had changed or removed since they were written. */
  readonly repaired: readonly string[];
  /** Why it is the shell client. Undefined: it is the compiled one. */
  readonly missing?: string;
}

interface Options {
  /** The program that is the daemon. */
  readonly seam?: string;
  /** False: the shell client, also where another could be compiled. */
  readonly native?: boolean;
  /** Of the person who runs this; a daemon goes by it whoever starts it. Without it, by the one before. */
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Writes the hook client into the user's Seam folder, or brings it up to date: what agents run
 * for a hook must not depend on where Node or Seam are on the PATH. Agents run the same path
 * whichever client it is.
 */
export function ensureClient(
  home?: string,
  { seam = ownEntry(), native = true, environment }: Options = {},
): EnsuredClient {
  const paths = daemonPaths(home);
  prepareFolders(paths);
  writeCurlOptions(paths, ownToken(paths));
  const before = readList(paths);
  const repaired = before ? changedFiles(paths, before) : [];
  const scripts = scriptFiles(seam);
  const made = native ? compiled(paths, before, repaired) : { missing: "it was not asked for" };
  const [{ content: shell }] = scripts;
  const content = "program" in made ? made.program : shell;
  const hook: ClientFile = { name: "hook", mode: 0o700, content };
  const noted = environment ? environmentFile(environment) : keptEnvironment(paths, before);
  const files: ClientFile[] = [
    ...spareFiles(scripts),
    ...scripts,
    serverFile(paths.home, "program" in made ? paths.hook : undefined),
    ...(noted ? [noted, spareEnvironment(noted)] : []),
    hook,
  ];
  let written = false;
  for (const { name, mode, content: wanted } of files) {
    const path = join(paths.bin, name);
    if (isAlready(path, wanted, mode)) continue;
    replaceFile(path, wanted, { mode });
    written = true;
  }
  if (!("program" in made)) rmSync(paths.compiled, { force: true });
  else if (!existsSync(paths.compiled)) replaceFile(paths.compiled, "");
  const missing = "missing" in made ? { missing: made.missing } : {};
  const list: ClientList = {
    source: sourceDigest(),
    ...missing,
    files: Object.fromEntries(files.map((file) => [file.name, digestOf(file.content)])),
  };
  const text = Buffer.from(`${JSON.stringify(list, undefined, 2)}\n`);
  for (const path of [spareListPath(paths), listPath(paths)]) {
    if (!isAlready(path, text, 0o600)) replaceFile(path, text);
  }
  return { hook: paths.hook, written, repaired, ...missing };
}

/** The compiled client that is there, or a new one. */
function compiled(
  { bin, hook }: DaemonPaths,
  before: ClientList | undefined,
  changed: readonly string[],
) {
  const isCurrent = before?.source === sourceDigest() && before.missing === undefined;
  if (isCurrent && !changed.includes("hook")) return { program: readFileSync(hook) };
  return nativeClient(bin);
}

/** Brings the client up to date if this user has one: it may come from an older Seam. */
export function refreshClient(paths: DaemonPaths): EnsuredClient | undefined {
  const traces = [paths.hook, listPath(paths), spareListPath(paths)];
  if (!traces.some((path) => existsSync(path))) return undefined;
  const [, seam] = process.argv;
  return ensureClient(paths.home, seam === undefined ? {} : { seam });
}

function ownEntry(): string {
  return builtFile("bin/seam.js");
}

function isAlready(path: string, content: Buffer, mode: number): boolean {
  try {
    accessSync(path, (mode & 0o100) === 0 ? constants.R_OK : constants.R_OK | constants.X_OK);
    return readFileSync(path).equals(content);
  } catch {
    return false;
  }
}
