import { existsSync, readdirSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { leadsOutside, readRegularText, SMALL_FILE } from "../../files/index.ts";
import { globToRegExp } from "../../tools/index.ts";
import { isRecord } from "../../values/index.ts";

/** What a package may bring. */
export type PackageKind = "extensions" | "agents" | "skills" | "prompts" | "themes";

/** What a folder's package.json says. */
export interface PackageManifest {
  readonly name: string;
  readonly version?: string;
  /** Programs that npm would start to install it. */
  readonly scripts: readonly string[];
  /** Packages it expects beside it, with their versions; not those it can do without. */
  readonly peers: Readonly<Record<string, string>>;
  readonly listed: { readonly [Kind in PackageKind]?: readonly string[] };
  /** It says itself what it brings: then its folders are not looked into. */
  readonly declares: boolean;
}

const KINDS: readonly PackageKind[] = ["extensions", "agents", "skills", "prompts", "themes"];
const INSTALLING = ["preinstall", "install", "postinstall", "prepare"];

/** Where a package.json lists what it brings: for Seam, Pi and oh-my-pi. The first one counts. */
const KEYS = ["seam", "pi", "omp"];

/** Undefined if there is no package.json that can be read. */
export function readPackage(dir: string): PackageManifest | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readRegularText(join(dir, "package.json"), SMALL_FILE));
  } catch {
    return undefined;
  }
  if (!isRecord(parsed)) return undefined;
  const { name, version, scripts, peerDependencies, peerDependenciesMeta } = parsed;
  const declared = KEYS.map((key) => parsed[key]).filter(isRecord);
  const listed = Object.fromEntries(
    KINDS.flatMap((kind) => {
      const list = declared.map((one) => one[kind]).find(Boolean);
      return Array.isArray(list) ? [[kind, list.filter((one) => typeof one === "string")]] : [];
    }),
  );
  return {
    name: typeof name === "string" && name !== "" ? name : basename(dir),
    ...(typeof version === "string" && { version }),
    scripts: isRecord(scripts) ? INSTALLING.filter((one) => Object.hasOwn(scripts, one)) : [],
    peers: neededPeers(peerDependencies, peerDependenciesMeta),
    listed,
    declares: declared.length > 0,
  };
}

function neededPeers(peers: unknown, meta: unknown): Record<string, string> {
  if (!isRecord(peers)) return {};
  const isNeeded = (name: string) => {
    const said = isRecord(meta) ? meta[name] : undefined;
    return !(isRecord(said) && said.optional === true);
  };
  return Object.fromEntries(
    Object.entries(peers).flatMap(([name, range]) =>
      typeof range === "string" && isNeeded(name) ? [[name, range]] : [],
    ),
  );
}

/** What was found of a package, and what of it does not lie in its folder. */
export interface PackagePaths {
  readonly paths: readonly string[];
  /** Never used: whoever wrote the package could name any file of this machine. */
  readonly outside: readonly string[];
}

/** The files and folders of a kind: those that the package.json names, or the folder called so. */
export function packagePaths(dir: string, kind: PackageKind): PackagePaths {
  const manifest = readPackage(dir);
  const usual = join(dir, kind);
  const named =
    manifest?.listed[kind] ?? (manifest?.declares || !existsSync(usual) ? [] : [`./${kind}`]);
  const all = matching(dir, named, kind);
  const isOutside = (path: string) => leadsOutside(path, dir) !== undefined;
  return {
    paths: all.filter((path) => !isOutside(path)),
    outside: all.filter(isOutside),
  };
}

export const isExtensionFile = (name: string) =>
  /\.(ts|js|mts|mjs)$/.test(name) && !/\.(test|spec|d)\.[a-z]+$/.test(name);

/** What a glob may match of a kind: other files stand beside the extensions. */
const FITS: Readonly<Record<PackageKind, (name: string) => boolean>> = {
  extensions: isExtensionFile,
  agents: isExtensionFile,
  skills: (name) => /\.md$/i.test(name),
  prompts: (name) => /\.md$/i.test(name),
  themes: (name) => /\.json$/i.test(name),
};

const GLOB = /[*?[{]/;

/** Paths and globs in the order in which they are listed; `!` in front takes out again. */
function matching(dir: string, listed: readonly string[], kind: PackageKind): string[] {
  const wanted = listed.filter((one) => !/^[!-]/.test(one)).map((one) => one.replace(/^\+/, ""));
  const unwanted = listed.filter((one) => /^[!-]/.test(one)).map((one) => patternOf(one.slice(1)));
  const inFolder = wanted.some((one) => GLOB.test(one)) ? filesBelow(dir, kind) : [];
  const found = wanted.flatMap((one) => {
    if (!GLOB.test(one)) return [resolve(dir, one)];
    const pattern = patternOf(one);
    return inFolder.filter((path) => pattern.test(path)).map((path) => join(dir, path));
  });
  const isWanted = (path: string) => !unwanted.some((one) => one.test(relative(dir, path)));
  return [...new Set(found)].filter(isWanted);
}

/** One that cannot be read matches nothing. */
function patternOf(glob: string): RegExp {
  try {
    return globToRegExp(glob.replace(/^\.\//, ""), { braces: true });
  } catch {
    return /(?!)/;
  }
}

/** More than a package needs: a folder that is no package must not be walked for ever. */
const MOST_PATHS = 20_000;

/** Folders too: a skill may be one. */
function filesBelow(dir: string, kind: PackageKind): string[] {
  const found: string[] = [];
  let looked = 0;
  const visit = (folder: string) => {
    for (const entry of entriesOf(join(dir, folder))) {
      if (entry.name === "node_modules" || entry.name === ".git") continue;
      if (++looked > MOST_PATHS) return;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() || FITS[kind](entry.name)) found.push(path);
      if (entry.isDirectory()) visit(path);
    }
  };
  visit("");
  return found.sort();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
