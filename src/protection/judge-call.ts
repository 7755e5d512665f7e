import { readdirSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { projectRoot } from "../settings/index.ts";
import { SHELL_UNKNOWN } from "../tools/index.ts";
import type { ProtectedPlaces } from "./protected-places.ts";
import { shellWrites } from "./shell-writes.ts";
import { targetsOf } from "./targets.ts";
import { type Call, mentionsOf } from "./written-paths.ts";

/**
 * Why a call of an agent's tool would take Seam out or make it laxer; undefined if it would not.
 * Reads no file unless the call writes near Seam's places.
 */
export function judgeCall(
  findPlaces: () => ProtectedPlaces,
  call: Call,
  cwd: string,
): string | undefined {
  const { paths, commands } = mentionsOf(call);
  if (paths.length === 0 && commands.length === 0) return undefined;
  const places = findPlaces();
  for (const path of paths) {
    const what = first(targetsOf(path, cwd), (target) => places.whatIs(target));
    if (what !== undefined) return `This would change ${path}: ${what}.`;
  }
  const folder = typeof call.input.cwd === "string" ? resolve(cwd, call.input.cwd) : cwd;
  for (const command of commands) {
    const found = judgeCommand(places, command, folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

function judgeCommand(places: ProtectedPlaces, command: string, cwd: string): string | undefined {
  const { writes, loosened, problems } = shellWrites(command);
  const [loose] = loosened;
  if (loose !== undefined) return `"${loose}" would take Seam out or make it laxer.`;
  for (const { path, pattern, whole } of writes) {
    const found = pattern ? globbed(path, cwd) : [path];
    const what = first(found, (one) =>
      whole
        ? whatGoes(places, one, cwd)
        : first(targetsOf(one, cwd), (target) => places.whatIs(target)),
    );
    if (what !== undefined) return `This command would change ${path}: ${what}.`;
  }
  const [problem] = problems;
  if (problem === undefined || !places.isNamedIn(command)) return undefined;
  return `Seam cannot tell what this command would change: ${problem}`;
}

/** What goes with a folder. A link that is removed is not what it leads to. */
function whatGoes(places: ProtectedPlaces, path: string, cwd: string): string | undefined {
  const [literal = ""] = targetsOf(path, cwd);
  const inRealFolder = targetsOf(dirname(literal), cwd).map((folder) =>
    join(folder, basename(literal)),
  );
  const project = projectRoot(cwd);
  return first([literal, ...inRealFolder], (one) => places.whatIsBelow(one, project));
}

function first<T>(items: readonly T[], look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const MOST = 500;
const ANYWHERE = `${sep}${SHELL_UNKNOWN}${sep}`;

/** What a path with `*`, `?` or `[…]` stands for, as a shell would see it now. */
function globbed(path: string, cwd: string): readonly string[] {
  // What `find` comes upon lies in its folder, or in one of those below.
  if (path.includes(ANYWHERE)) {
    const ways = [sep, `${sep}*${sep}`, `${sep}.*${sep}`];
    return ways.flatMap((way) => globbed(path.replace(ANYWHERE, way), cwd));
  }
  const isPattern = (name: string) => /[*?[(]/.test(name);
  if (!isPattern(path)) return [path];
  const names = path.split(sep);
  const fixed = names.slice(0, names.findIndex(isPattern)).join(sep);
  const start = isAbsolute(path) ? fixed || sep : fixed || ".";
  let found = targetsOf(start, cwd).slice(0, 1);
  for (const name of names.slice(names.findIndex(isPattern))) {
    const pattern = isPattern(name) ? matcher(name) : undefined;
    found = found
      .flatMap((folder) => {
        if (!pattern) return [join(folder, name)];
        return namesIn(folder)
          .filter((entry) => pattern.test(entry))
          .map((entry) => join(folder, entry));
      })
      .slice(0, MOST);
  }
  return found.map((one) => resolve(one));
}

/** Names that start with a dot are only meant where the pattern says so. */
function matcher(pattern: string): RegExp {
  const body = pattern
    .replace(/!\([^()]*\)/g, "*")
    .replace(/[@+?*]\(([^()]*)\)/g, "\u0001$1\u0003")
    .replace(/[.+^${}()|\\]/g, (one) => (one === "|" ? "\u0002" : `\\${one}`))
    .replaceAll("*", ".*")
    .replaceAll("?", ".")
    .replace(/\[!/g, "[^")
    .replaceAll("\u0001", "(?:")
    .replaceAll("\u0002", "|")
    .replaceAll("\u0003", ")");
  const hidden = /^([.[]|[@+?*]\(\.)/.test(pattern) ? "" : "(?!\\.)";
  try {
    return new RegExp(`^${hidden}${body}$`, "i");
  } catch {
    return /^$/;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
