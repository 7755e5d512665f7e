import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { isBelow, readRegular, readRegularText, SMALL_FILE } from "../../files/index.ts";
import type { Content } from "../../settings/index.ts";
import { isProvided } from "../modules/provided.ts";
import { extensionFolder } from "./entries.ts";
import { resolveFile, WAYS_TO_RESOLVE } from "./imported-files.ts";
import { quotedNames } from "./quoted-names.ts";

/** More than any extension needs; enough to keep a whole project from being copied by mistake. */
const MOST_FILES = 5_000;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Everything of a project that an extension is made of, as it is now: its file, the files it names
 * by a relative path, its folder if it has one of its own, and the packages of the project that it
 * imports, with theirs. Undefined if its file is not there.
 */
export function contentOf(
  root: string,
  entry: string,
  folder = extensionFolder(root, entry),
): Content | undefined {
  if (!existsSync(entry)) return undefined;
  const collecting = new Collecting(root, entry);
  if (!collecting.addFile(entry)) throw new SeamError("SEAM_TRUST_OUTSIDE", { path: entry });
  if (folder !== undefined) collecting.addFolder(folder);
  return collecting.files;
}

const CODE: ReadonlySet<string> = new Set([
  ".ts",
  ".mts",
  ".cts",
  ".tsx",
  ".js",
  ".mjs",
  ".cjs",
  ".jsx",
]);

/** More code than this is not searched for the files it names. */
const MOST_CODE = 16 * 1024 * 1024;
/** How often the names in the code of an extension may be looked up. */
const MOST_LOOKUPS = 100_000;
const PACKAGE = /^@?\w[^\s]*$/;

class Collecting {
  readonly files = new Map<string, Buffer>();
  readonly #entry: string;
  readonly #root: string;
  /** Nothing from anywhere else is read, wherever a link leads. */
  readonly #allowed: readonly string[];
  readonly #packages = new Set<string>();
  readonly #lookedUp = new Set<string>();
  #bytes = 0;
  #code = 0;
  #lookups = 0;

  constructor(root: string, entry: string) {
    this.#root = root;
    this.#entry = entry;
    this.#allowed = [
      realpathSync(root),
      ...(isBelow(entry, root) ? [] : [realpathSync(dirname(entry))]),
    ];
  }

  /** A file of the extension's own, and what it names. False if there is none to be had. */
  addFile(path: string): boolean {
    if (this.files.has(path)) return true;
    const bytes = this.#read(path);
    if (!bytes) return false;
    this.#keep(path, bytes);
    if (!CODE.has(extname(path))) return true;
    this.#code += bytes.length;
    if (this.#code > MOST_CODE) throw this.#tooLarge();
    for (const { name, isImported, isArgument } of quotedNames(bytes.toString("utf8"))) {
      this.#addNamed(path, name);
      if ((isImported || isArgument) && PACKAGE.test(name)) this.#addPackageOf(name, dirname(path));
    }
    return true;
  }

  /** All files of a folder; packages in it only as far as they are imported. */
  addFolder(folder: string): void {
    for (const path of filesIn(folder)) this.addFile(path);
    this.#addDependencies(folder, folder);
  }

  #addNamed(from: string, quoted: string): void {
    const path = resolve(dirname(from), quoted);
    const isRelative = /^\.{1,2}(\/|$)/.test(quoted);
    if (!this.#isFirst(`${isRelative} ${path}`, isRelative ? WAYS_TO_RESOLVE : 1)) return;
    // A bare name may be that of a file beside it; endings are left out only in imports.
    const file = isRelative ? resolveFile(path) : path;
    if (isBelow(file, this.#root) || isBelow(file, dirname(this.#entry))) this.addFile(file);
  }

  #addPackageOf(specifier: string, from: string): void {
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
    if (isBuiltin(name) || isProvided(name) || !this.#isFirst(`${name} ${from}`, 1)) return;
    this.#addPackage(name, from, from);
  }

  /** Whether something is looked up for the first time. There is an end to what a text may ask for. */
  #isFirst(what: string, lookups: number): boolean {
    if (this.#lookedUp.has(what)) return false;
    this.#lookedUp.add(what);
    this.#lookups += lookups;
    if (this.#lookups > MOST_LOOKUPS) throw this.#tooLarge();
    return true;
  }

  /** `real`: where the importing package lies if `from` is reached by a link, as pnpm makes them. */
  #addPackage(name: string, from: string, real: string): void {
    const found = this.#lookUp(name, from);
    const elsewhere = found === undefined ? this.#lookUp(name, realOf(real)) : undefined;
    const source = found ?? elsewhere;
    if (source === undefined) return;
    const place = found ?? join(from, "node_modules", name);
    if (this.#packages.has(place)) return;
    this.#packages.add(place);
    for (const path of filesIn(source)) {
      const bytes = this.#read(path);
      if (bytes) this.#keep(place + path.slice(source.length), bytes);
    }
    this.#addDependencies(source, place);
  }

  #addDependencies(source: string, place: string): void {
    for (const name of dependenciesOf(source)) this.#addPackage(name, place, source);
  }

  /** The package's folder, as Node looks for it, inside the project. */
  #lookUp(name: string, from: string): string | undefined {
    for (let dir = from; ; dir = dirname(dir)) {
      const place = join(dir, "node_modules", name);
      if (existsSync(join(place, "package.json")) && this.#isAllowed(place)) return place;
      if (dir === this.#root || dir === dirname(dir)) return undefined;
    }
  }

  #read(path: string): Buffer | undefined {
    try {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (!stat?.isFile() || !this.#isAllowed(path)) return undefined;
      if (this.#bytes + stat.size > MOST_BYTES) throw this.#tooLarge();
      return readRegular(path, MOST_BYTES);
    } catch (error) {
      if (error instanceof SeamError && error.code !== "SEAM_FILE_UNFIT") throw error;
      return undefined;
    }
  }

  #isAllowed(path: string): boolean {
    const real = realOf(path);
    return this.#allowed.some((folder) => isBelow(real, folder));
  }

  #keep(path: string, bytes: Buffer): void {
    this.files.set(path, bytes);
    this.#bytes += bytes.length;
    if (this.files.size > MOST_FILES) throw this.#tooLarge();
  }

  #tooLarge(): SeamError {
    const detail = `${MOST_FILES} files or ${MOST_BYTES / 1024 / 1024} MB`;
    return new SeamError("SEAM_TRUST_TOO_LARGE", { path: this.#entry, detail });
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Every file of a folder, in the same order on every machine, without the packages in it. */
function filesIn(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder).sort();
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    if (name === "node_modules" || name === ".git") return [];
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    // A link to a folder could lead back up: what is behind it is left out.
    if (stat?.isDirectory())
      return realOf(path) === join(realOf(folder), name) ? filesIn(path) : [];
    return stat?.isFile() ? [path] : [];
  });
}

function dependenciesOf(folder: string): string[] {
  try {
    const text = readRegularText(join(folder, "package.json"), SMALL_FILE);
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null) return [];
    const kinds = ["dependencies", "optionalDependencies", "peerDependencies"] as const;
    const fields = parsed as Partial<Record<string, unknown>>;
    return kinds
      .flatMap((kind) => {
        const listed = fields[kind];
        return typeof listed === "object" && listed !== null ? Object.keys(listed) : [];
      })
      .filter((name) => !isProvided(name));
  } catch {
    return [];
  }
}
