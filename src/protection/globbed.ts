import { readdirSync } from "node:fs";
import { isAbsolute, join, resolve, sep } from "node:path";
import { SHELL_UNKNOWN } from "../tools/index.ts";
import { targetsOf } from "./targets.ts";

const MOST = 500;
const ANYWHERE = `${sep}${SHELL_UNKNOWN}${sep}`;

/** What a path with `*`, `?` or `[…]` stands for, as a shell would see it now. */
export function globbed(path: string, cwd: string): readonly string[] {
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
