import { existsSync } from "node:fs";
import { join } from "node:path";
import { inWords, SeamError } from "../../errors/index.ts";
import { leadsOutside } from "../../files/index.ts";
import { agreeInPlace, agreementsOf, keyOf, seamHome, withdraw } from "../../settings/index.ts";
import { declaredCritical } from "./declared-critical.ts";
import { packageEntries } from "./entries.ts";
import { contentIdOf, filesOf, printOf } from "./folder-content.ts";
import { installFolder, packageIn, parseEntry, shownEntry } from "./package-source.ts";
import type { ChangedPackage } from "./source.ts";

/**
 * The user agreed to a package of one's own as it lies in its folder, with everything it depends on.
 * It may be large: no copy is kept, only a hash of all of it.
 */
export function agreeToPackage(entry: string): void {
  const place = placeOf(entry);
  if (!place) return;
  const { paths } = packageEntries(place.dir);
  agreeInPlace(seamHome(), place.folder, {
    id: contentIdOf(place.folder),
    kind: "package",
    name: entry,
    critical: paths.some((path) => declaredCritical(path)),
    print: printOf(filesOf(place.folder)),
  });
}

export function forgetPackage(entry: string): void {
  const place = placeOf(entry);
  if (place) withdraw(seamHome(), [place.folder]);
}

/** Folders whose content was found to be what was agreed to, by how their files looked then. */
const sound = new Map<string, string>();

/** What is wrong with a package that was added for the user; undefined if it is as it was then. */
export function changedPackage(entry: string): ChangedPackage | undefined {
  const place = placeOf(entry);
  if (!place) return undefined;
  const agreement = agreementsOf(seamHome())[keyOf(seamHome(), place.folder)];
  const critical = agreement?.critical === true;
  const changed = (detail: string) => ({ name: shownEntry(entry), entry, detail, critical });
  if (!existsSync(place.dir)) return critical ? changed("its folder is gone") : undefined;
  if (!agreement) return changed("nothing says which content of it you agreed to");
  try {
    const print = printOf(filesOf(place.folder));
    if (print === agreement.print || print === sound.get(place.folder)) return undefined;
    if (contentIdOf(place.folder) !== agreement.id) return changed("its files have changed");
    sound.set(place.folder, print);
    return undefined;
  } catch (thrown) {
    return changed(inWords(thrown));
  }
}

export function changedError({ name, entry, detail }: ChangedPackage): SeamError {
  return new SeamError("SEAM_PACKAGE_CHANGED", { name, source: entry, detail });
}

/** Refuses a package with links that lead out of it: what is behind them is never looked at. */
export function refuseLinksOutside(folder: string, source: string): void {
  const outside = filesOf(folder)
    .filter(({ stat }) => stat.isSymbolicLink())
    .map(({ path }) => path)
    .filter((path) => leadsOutside(join(folder, path), folder) !== undefined);
  if (outside.length === 0) return;
  throw new SeamError("SEAM_PACKAGE_OUTSIDE", { source, list: outside.slice(0, 5).join(", ") });
}

function placeOf(text: string) {
  const entry = parseEntry(text);
  if (!entry) return undefined;
  const folder = installFolder(seamHome(), entry);
  return { folder, dir: packageIn(folder, entry) };
}
