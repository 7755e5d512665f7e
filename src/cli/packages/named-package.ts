import { SeamError } from "../../errors/index.ts";
import { nearest } from "../../events/index.ts";
import { type PackagePlace, placeOf, readPackage, shownEntry } from "../../extensions/index.ts";
import { listedPackages } from "../../settings/index.ts";

/** A package that a settings file names. */
export interface NamedPackage {
  readonly entry: string;
  readonly name: string;
  readonly version: string | undefined;
  readonly dir: string;
  readonly isThere: boolean;
}

export function namedPackages(place: PackagePlace): NamedPackage[] {
  return listedPackages(place.settings).map((entry) => {
    const dir = placeOf(place, entry);
    const manifest = readPackage(dir);
    return {
      entry,
      name: manifest?.name ?? shownEntry(entry),
      version: manifest?.version,
      dir,
      isThere: manifest !== undefined,
    };
  });
}

/** The one that is meant: by its name, or as the settings write it. */
export function namedPackage(place: PackagePlace, wanted: string): NamedPackage {
  const all = namedPackages(place);
  const found = all.find(({ name, entry }) => name === wanted || entry === wanted);
  if (found) return found;
  const close = nearest(
    wanted,
    all.map(({ name }) => name),
  );
  const names = all.map(({ name }) => name).join(", ");
  const hint = close
    ? `Did you mean "${close}"?`
    : names === ""
      ? "There is none to choose from. All extensions: seam ext list"
      : `There are: ${names}.`;
  throw new SeamError("SEAM_PACKAGE_UNKNOWN", { name: wanted, hint });
}
