import { existsSync, readdirSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readRegularText, SMALL_FILE } from "../../files/index.ts";
import { PROJECT_DIR } from "../../settings/index.ts";

const isExtensionFile = (name: string) =>
  /\.(ts|js|mts|mjs)$/.test(name) && !/\.(test|spec|d)\.[a-z]+$/.test(name);

/** Undefined for what is missing, and for what cannot be looked at: a link to itself. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What a folder's package.json says about extensions. */
interface Manifest {
  name: string;
  /** What its package.json lists. */
  extensions: string[] | undefined;
}

/** A package may have extensions, and agents. */
type Listed = "extensions" | "agents";

function readManifest(dir: string, kind: Listed = "extensions"): Manifest | undefined {
  try {
    const text = readRegularText(join(dir, "package.json"), SMALL_FILE);
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null) return undefined;
    const { name, seam, pi } = parsed as Record<string, unknown>;
    const declared = (seam ?? pi) as Partial<Record<Listed, unknown>> | undefined;
    const listed = declared?.[kind];
    return {
      name: typeof name === "string" ? name : basename(dir),
      extensions: Array.isArray(listed) ? listed.filter((e) => typeof e === "string") : undefined,
    };
  } catch {
    return undefined;
  }
}

/** The extension files one folder stands for: what its package.json names, or its index. */
function entriesOfFolder(dir: string, kind: Listed = "extensions"): string[] {
  const listed = readManifest(dir, kind)?.extensions;
  if (listed) {
    return listed.flatMap((entry) => {
      const path = resolve(dir, entry);
      // One that is missing is kept: loading says so.
      return statOf(path)?.isDirectory() ? entriesIn(path) : [path];
    });
  }
  return ["index.ts", "index.js"]
    .map((name) => join(dir, name))
    .filter((p) => existsSync(p))
    .slice(0, 1);
}

/**
 * The extensions in a folder of extensions: files, and folders one level down. By name, so that
 * the order is the same on every machine.
 */
export function entriesIn(dir: string): string[] {
  let names: string[];
  try {
    names = readdirSync(dir).sort();
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const path = join(dir, name);
    const stat = statOf(path);
    if (stat?.isFile()) return isExtensionFile(name) ? [path] : [];
    return stat?.isDirectory() && name !== "node_modules" ? entriesOfFolder(path) : [];
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
    if (readManifest(dir)?.extensions) return dir;
    if (dirname(dir) === shared) return dir;
    if (dir === dirname(dir)) return undefined;
  }
  return undefined;
}

/** A package's extensions or agents, and the name it goes by. */
export function packageEntries(
  dir: string,
  kind: Listed = "extensions",
): { name: string; paths: string[] } {
  const paths = entriesOfFolder(dir, kind);
  const conventional = join(dir, kind);
  const found = paths.length > 0 ? paths : entriesIn(conventional);
  return { name: readManifest(dir)?.name ?? basename(dir), paths: found };
}
