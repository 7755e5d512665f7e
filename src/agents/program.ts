import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Place, Program } from "./agent.ts";

const VERSION_MS = 20_000;

/** Where a program is, going by the PATH of the place. */
export function programPath({ command }: Program, { env }: Place): string | undefined {
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

/** What the program says its version is; undefined if it does not say. */
export function installedVersion(program: Program, place: Place): Promise<string | undefined> {
  const path = programPath(program, place);
  if (!path) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const options = { env: { ...place.env }, timeout: VERSION_MS, killSignal: "SIGKILL" as const };
    const child = execFile(path, [...program.versionArgs], options, (_, stdout, stderr) => {
      resolve(/\d+\.\d+\.\d+/.exec(`${stdout}\n${stderr}`)?.[0]);
    });
    child.stdin?.end();
  });
}

/** Whether the tests ran against a version of this range. */
export function wasTested({ tested }: Program, version: string): boolean {
  if (!tested) return false;
  const [oldest, newest] = tested;
  return compare(oldest, version) <= 0 && compare(version, newest) <= 0;
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  const at = left?.findIndex((part, i) => part !== right?.[i]) ?? -1;
  return at < 0 ? 0 : (left?.[at] ?? 0) - (right?.[at] ?? 0);
}
