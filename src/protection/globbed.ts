import { readdirSync } from "node:fs";
import { isAbsolute, join, resolve, sep } from "node:path";
import { targetsOf } from "./targets.ts";

const MOST = 500;

/** What a path with `*`, `?` or `[…]` stands for, as a shell would see it now. */
export function globbed(path: string, cwd: string): readonly string[] {
  if (!/[*?[]/.test(path)) return [path];
  const names = path.split(sep);
  const isPattern = (name: string) => /[*?[]/.test(name);
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
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".")
    .replace(/\[!/g, "[^");
  const hidden = pattern.startsWith(".") || pattern.startsWith("[") ? "" : "(?!\\.)";
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
