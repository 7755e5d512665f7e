import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { AgentFolders, Program } from "./agent.ts";

const VERSION_MS = 20_000;

/** Where a program is, going by the PATH of the place. */
export function programPath({ command }: Program, { env }: AgentFolders): string | undefined {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, command)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The version of the program; undefined if it cannot be found out. */
export function installedVersion(
  program: Program,
  place: AgentFolders,
): Promise<string | undefined> {
  const path = programPath(program, place);
  if (!path) return Promise.resolve(undefined);
  const known = packageVersion(program, path);
  return known ? Promise.resolve(known) : saidVersion(program, path, place);
}

/**
 * Reads the version from the npm package a program belongs to: starting an agent takes seconds and
 * leaves files behind.
 */
function packageVersion({ command }: Program, path: string): string | undefined {
  for (
    let folder = dirname(realpathSync(path));
    dirname(folder) !== folder;
    folder = dirname(folder)
  ) {
    const file = join(folder, "package.json");
    if (!existsSync(file)) continue;
    try {
      const { bin, version } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
      const isIts = typeof bin === "object" && bin !== null && Object.hasOwn(bin, command);
      return isIts && typeof version === "string" ? version : undefined;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function saidVersion(
  { versionArgs }: Program,
  path: string,
  { env }: AgentFolders,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env: { ...env }, timeout: VERSION_MS, killSignal: "SIGKILL" as const };
    const child = execFile(path, [...versionArgs], options, (_, stdout, stderr) => {
      resolve(/\d+\.\d+\.\d+/.exec(`${stdout}\n${stderr}`)?.[0]);
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end();
  });
}

/** Whether the tests ran against a version of this range. */
export function wasTested({ tested }: Program, version: string): boolean {
  if (!tested) return false;
  const [oldest, newest] = tested;
  return compare(oldest, version) <= 0 && compare(version, newest) <= 0;
}

/** Whether a version is older than another. */
export function isBefore(version: string, other: string): boolean {
  return compare(version, other) < 0;
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  const at = left?.findIndex((part, i) => part !== right?.[i]) ?? -1;
  return at < 0 ? 0 : (left?.[at] ?? 0) - (right?.[at] ?? 0);
}
