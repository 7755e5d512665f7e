import { existsSync, opendirSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { leadsOutside } from "../../files/index.ts";
import { PROJECT_DIR } from "../../settings/index.ts";
import { isExtensionFile, packagePaths, readPackage } from "./package-resources.ts";

/** Undefined for what is missing, and for what cannot be looked at: a link to itself. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The extension files one folder stands for: what its package.json names, or its index. */
function entriesOfFolder(dir: string, kind: "extensions" | "agents" = "extensions"): string[] {
  if (readPackage(dir)?.listed[kind]) {
    return packagePaths(dir, kind).paths.flatMap((path) => {
      // One that is missing is kept: loading says so.
      if (!statOf(path)?.isDirectory()) return [path];
      const own = indexOf(path);
      return own.length > 0 ? own : entriesIn(path);
    });
  }
  return indexOf(dir);
}

function indexOf(dir: string): string[] {
  return ["index.ts", "index.js", "index.mts", "index.mjs"]
    .map((name) => join(dir, name))
    .filter((p) => existsSync(p))
    .slice(0, 1);
}

/** Folders may be sorted into folders; one that links to itself must still come to an end. */
const DEEPEST = 4;

/** How many names of a folder of extensions may still be looked at. */
interface Looking {
  left: number;
}

/** Folders further down count only if they stand for an extension: other files are parts of one. */
function entriesBelow(dir: string, looking: Looking, depth = 0): string[] {
  const own = entriesOfFolder(dir);
  if (own.length > 0 || depth === DEEPEST) return own;
  return namesIn(dir, looking)
    .filter((name) => name !== "node_modules" && !name.startsWith("."))
    .map((name) => join(dir, name))
    .filter((path) => statOf(path)?.isDirectory())
    .flatMap((path) => entriesBelow(path, looking, depth + 1));
}

/** Sorts by name, so that the order is the same on every machine. */
function namesIn(dir: string, looking: Looking): string[] {
  const names = firstNames(dir, looking.left + 1).sort();
  looking.left -= names.length;
  if (looking.left < 0) {
    throw new SeamError("SEAM_EXT_PROJECT", { path: dir, detail: "there are too many files" });
  }
  return names;
}

/** The names in a folder, and no more than so many: somebody may have filled it. */
export function firstNames(dir: string, most: number): string[] {
  const names: string[] = [];
  try {
    const folder = opendirSync(dir);
    try {
      for (let entry = folder.readSync(); entry && names.length < most; entry = folder.readSync()) {
        names.push(entry.name);
      }
    } finally {
      folder.closeSync();
    }
  } catch {
    return names;
  }
  return names;
}

/**
 * The extensions in a folder of extensions: files, and folders at whatever depth. Throws if there are
 * more than `most` names to look at.
 */
export function entriesIn(dir: string, most = Number.POSITIVE_INFINITY): string[] {
  const looking = { left: most };
  return namesIn(dir, looking).flatMap((name) => {
    const path = join(dir, name);
    const stat = statOf(path);
    if (stat?.isFile()) return isExtensionFile(name) ? [path] : [];
    return stat?.isDirectory() && name !== "node_modules" ? entriesBelow(path, looking) : [];
  });
}

/** The extension files a path given by the user stands for. Missing ones are kept: loading says so. */
export function entriesAt(path: string): string[] {
  if (!statOf(path)?.isDirectory()) return [path];
  const own = entriesOfFolder(path);
  const found = own.length > 0 ? own : entriesIn(path);
  return found.length > 0 ? found : [path];
}

/**
 * The folder that is an extension's alone, if it has one: that of the package.json that names it,
 * or the one that is named instead of its index. Never the project itself.
 */
export function extensionFolder(root: string, entry: string): string | undefined {
  const shared = join(root, PROJECT_DIR, "extensions");
  for (let dir = dirname(entry); dir !== root && dir !== shared; dir = dirname(dir)) {
    if (readPackage(dir)?.listed.extensions) return dir;
    if (dirname(dir) === shared) return dir;
    if (dir === dirname(dir)) return undefined;
  }
  return undefined;
}

/** A package's extensions or agents, and the name it goes by. */
export function packageEntries(
  dir: string,
  kind: "extensions" | "agents" = "extensions",
): { name: string; paths: string[] } {
  const manifest = readPackage(dir);
  const own = entriesOfFolder(dir, kind);
  const found = own.length > 0 || manifest?.listed[kind] ? own : entriesIn(join(dir, kind));
  const isInside = (path: string) => leadsOutside(path, dir) === undefined;
  return { name: manifest?.name ?? basename(dir), paths: found.filter(isInside) };
}
