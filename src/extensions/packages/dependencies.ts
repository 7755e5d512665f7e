import { basename, dirname, join } from "node:path";
import { contentIdOf, type FolderFile, filesOf } from "../find/folder-content.ts";
import { readPackage } from "../find/package-resources.ts";

/** A package in some node_modules below the folder of another, by where it lies there. */
interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly files: readonly FolderFile[];
}

/** How what a package depends on differs from before. */
export interface DependencyChange {
  readonly name: string;
  /** The version before; absent if it is new. */
  readonly before?: string;
  /** The version now; absent if it is gone. */
  readonly after?: string;
}

/** Told by content: what has other files under the same version has changed as well. */
export function changedDependencies(
  before: { folder: string; dir: string },
  after: { folder: string; dir: string },
): DependencyChange[] {
  const [old, now] = [dependenciesIn(before), dependenciesIn(after)];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((place) => {
    const [one, other] = [old.get(place), now.get(place)];
    const name = other?.name ?? one?.name ?? place;
    const isSame =
      one &&
      other &&
      one.version === other.version &&
      contentIdOf(before.folder, one.files) === contentIdOf(after.folder, other.files);
    if (isSame) return [];
    return [
      {
        name,
        ...(one && { before: one.version }),
        ...(other && { after: other.version }),
      },
    ];
  });
}

const PLACE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** `dir` is the package itself, which may lie in node_modules too. */
function dependenciesIn({ folder, dir }: { folder: string; dir: string }): Map<string, Dependency> {
  const found = new Map<string, FolderFile[]>();
  for (const file of allFiles(folder)) {
    const place = PLACE.exec(file.path)?.[0];
    // npm's own notes, and the links to programs that packages bring.
    if (place === undefined || /node_modules\/\.[^/]+$/.test(place)) continue;
    if (join(folder, place) === dir) continue;
    const files = found.get(place) ?? [];
    found.set(place, files);
    files.push(file);
  }
  return new Map(
    [...found].map(([place, files]) => {
      const manifest = readPackage(join(folder, place));
      const scope = basename(dirname(place));
      const usual = scope.startsWith("@") ? `${scope}/${basename(place)}` : basename(place);
      return [place, { name: manifest?.name ?? usual, version: manifest?.version ?? "?", files }];
    }),
  );
}

/** None where the folder is gone: then everything is new. */
function allFiles(folder: string): FolderFile[] {
  try {
    return filesOf(folder);
  } catch {
    return [];
  }
}
