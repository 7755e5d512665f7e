import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { tryLock } from "../../files/index.ts";
import { editPackages, seamHome } from "../../settings/index.ts";
import { agreeToPackage, forgetPackage } from "../find/installed-content.ts";
import {
  addedFolder,
  installFolder,
  isSamePackage,
  packagesFolder,
  parseEntry,
} from "../find/package-source.ts";
import { removeUnfinished } from "./fetch-package.ts";

/** Whose packages: the user's, or a project's. */
export interface PackagePlace {
  /** The Seam folder packages are installed in. */
  readonly base: string;
  /** The settings file that names them. */
  readonly settings: string;
}

/** Does something to the packages of a place while nobody else does. */
export async function withPackages<T>({ base }: PackagePlace, work: () => Promise<T>): Promise<T> {
  mkdirSync(packagesFolder(base), { recursive: true, mode: 0o700 });
  const lock = tryLock(join(packagesFolder(base), ".lock"));
  if (!lock.isOurs) throw new SeamError("SEAM_PACKAGE_BUSY");
  try {
    removeUnfinished(base);
    return await work();
  } finally {
    lock.release();
  }
}

/**
 * From now on this is the version in force. The settings file is the only thing that says so. Of a
 * package for the user it is kept what was agreed to; those of a project are trusted one by one.
 */
export function nameInSettings(place: PackagePlace, entry: string): void {
  if (place.base === seamHome()) agreeToPackage(entry);
  editPackages(place.settings, (listed) => [
    ...listed.filter((one) => !isSamePackage(one, entry)),
    entry,
  ]);
  removeUnnamed(place, entry);
}

export function unnameInSettings(place: PackagePlace, entry: string): void {
  editPackages(place.settings, (listed) => listed.filter((one) => one !== entry));
  if (place.base === seamHome()) forgetPackage(entry);
  const known = parseEntry(entry);
  if (known) rmSync(installFolder(place.base, known), { recursive: true, force: true });
}

/** Other versions of the same package are of no use any more. */
function removeUnnamed({ base }: PackagePlace, entry: string): void {
  const known = parseEntry(entry);
  if (!known || !existsSync(packagesFolder(base))) return;
  const kept = installFolder(base, known);
  const start = kept.slice(0, kept.lastIndexOf("@") + 1);
  for (const name of readdirSync(packagesFolder(base))) {
    const path = join(packagesFolder(base), name);
    if (path !== kept && path.startsWith(start)) rmSync(path, { recursive: true, force: true });
  }
}

/** The folder a fetched package shares with what it depends on; undefined for what was not fetched. */
export function folderOf({ base }: PackagePlace, entry: string): string | undefined {
  const known = parseEntry(entry);
  return known && installFolder(base, known);
}

/** Where the package is that an entry of the settings names. */
export function placeOf({ base }: PackagePlace, entry: string): string {
  return addedFolder(base, entry) ?? entry;
}
