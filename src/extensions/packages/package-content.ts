import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { LARGE_FILE, readRegular } from "../../files/index.ts";
import type { Content } from "../../settings/index.ts";
import { packageEntries } from "../find/entries.ts";
import { type PackageKind, packagePaths, readPackage } from "../find/package-resources.ts";

/** What a package brings, as its user is told before agreeing to it. */
export interface PackageContent {
  readonly name: string;
  readonly version?: string;
  readonly extensions: readonly string[];
  readonly skills: readonly string[];
  readonly prompts: readonly string[];
  readonly themes: readonly string[];
  /** Programs that npm would run to install it. */
  readonly scripts: readonly string[];
  /** What it names beside its own files and where there is nothing: a slip of its author's. */
  readonly missing: readonly string[];
}

/**
 * Refuses a package that brings nothing, and one that names files that are not its own. A skill, prompt or
 * theme that would lie elsewhere and is not there does no harm: published packages name some by mistake.
 */
export function contentsOf(dir: string, source: string): PackageContent {
  const manifest = readPackage(dir);
  const of = (kind: PackageKind) => packagePaths(dir, kind);
  const kinds = { skills: of("skills"), prompts: of("prompts"), themes: of("themes") };
  const elsewhere = Object.values(kinds).flatMap((one) => one.outside);
  const foreign = [...of("extensions").outside, ...elsewhere.filter(isThere)];
  if (foreign.length > 0) {
    const list = foreign.slice(0, 5).join(", ");
    throw new SeamError("SEAM_PACKAGE_OUTSIDE", { source, list });
  }
  const { name, paths: extensions } = packageEntries(dir);
  const found = {
    extensions,
    skills: kinds.skills.paths.filter(isThere),
    prompts: kinds.prompts.paths.filter(isThere),
    themes: kinds.themes.paths.filter(isThere),
  };
  if (Object.values(found).every((paths) => paths.length === 0)) {
    throw new SeamError("SEAM_PACKAGE_EMPTY", { source });
  }
  const version = manifest?.version;
  return {
    name,
    ...(version !== undefined && { version }),
    ...found,
    scripts: manifest?.scripts ?? [],
    missing: elsewhere,
  };
}

const isThere = (path: string) => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** The files of a package itself, by their path in it: what an update changes is told from them. */
export function ownFiles(dir: string): Content {
  const files = new Map<string, Buffer>();
  const visit = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === "node_modules" || entry.name === ".git") continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile()) files.set(relative(dir, path), readRegular(path, LARGE_FILE));
    }
  };
  visit(dir);
  return files;
}
