import { pathFromShown, type RawPath, shownPath } from "../../git/index.ts";
import type { SecretSearch } from "./secret-search.ts";

/**
 * What is not in a snapshot, or in it as it was before. Where there are too many untracked files, a
 * path can stand for many of them: `data/` for all in a folder and below it, `data/*` for those
 * directly in it, `./` for all there are.
 */
export interface LeftOut {
  readonly path: string;
  /**
   * `elsewhere`: behind a link, or in another repository. `unfiltered`: git would change it by a
   * filter that only the repository's own configuration names, which Seam does not run.
   */
  readonly why: "secret" | "too big" | "too many" | "elsewhere" | "unfiltered" | "unreadable";
  /** How many untracked files a path that stands for several of them left out. */
  readonly files?: number;
}

const REASONS = ["secret", "too big", "too many", "elsewhere", "unfiltered"] as const;

/** The whole work tree, and the files directly in it. */
export const EVERYTHING = "./";
const IN_FOLDER = "*";

/** Reads what a stored snapshot says of them; once it was the paths alone. */
export function parseLeftOut(value: unknown): LeftOut[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown): LeftOut[] => {
    if (typeof one === "string") return [{ path: one, why: "unreadable" }];
    if (typeof one !== "object" || one === null) return [];
    const { path, why, files } = one as Partial<LeftOut>;
    if (typeof path !== "string") return [];
    return [
      {
        path,
        why: REASONS.find((reason) => reason === why) ?? "unreadable",
        ...(typeof files === "number" && { files }),
      },
    ];
  });
}

/** How a folder is written whose untracked files are all left out. */
export function shownFolder(folder: RawPath | ""): string {
  return folder === "" ? EVERYTHING : `${shownPath(folder)}/`;
}

/** The same for the files directly in it. */
export function shownFilesIn(folder: RawPath | ""): string {
  return folder === "" ? IN_FOLDER : `${shownPath(folder)}/${IN_FOLDER}`;
}

/** Tells whether an untracked file was left out together with others. */
export function floodCheck(leftOut: readonly LeftOut[]): (path: RawPath) => boolean {
  const folders = new Set<string>();
  const filesIn = new Set<string>();
  for (const { path, why } of leftOut) {
    if (why !== "too many") continue;
    if (path === EVERYTHING) folders.add("");
    else if (path === IN_FOLDER) filesIn.add("");
    else if (path.endsWith("/")) folders.add(pathFromShown(path.slice(0, -1)));
    else if (path.endsWith(`/${IN_FOLDER}`)) filesIn.add(pathFromShown(path.slice(0, -2)));
  }
  if (folders.size === 0 && filesIn.size === 0) return () => false;
  return (path) => {
    let slash = path.lastIndexOf("/");
    if (filesIn.has(path.slice(0, Math.max(slash, 0)))) return true;
    for (; slash >= 0; slash = path.lastIndexOf("/", slash - 1)) {
      if (folders.has(path.slice(0, slash))) return true;
    }
    return folders.has("");
  };
}

interface Difference {
  readonly path: RawPath;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Tells of a difference between two snapshots whether it is one: a file that one of them does not
 * have was perhaps there too, and only left out with its folder.
 */
export function differenceCheck(
  before: readonly LeftOut[] = [],
  after: readonly LeftOut[] = [],
): (difference: Difference) => boolean {
  const [unknownBefore, unknownAfter] = [floodCheck(before), floodCheck(after)];
  return ({ path, before: old, after: now }) =>
    (old !== undefined || !unknownBefore(path)) && (now !== undefined || !unknownAfter(path));
}

/** As it may enter git: what is left out may be so because of a secret in its name. */
export async function withoutSecretNames(
  secrets: Pick<SecretSearch, "named" | "without">,
  leftOut: readonly LeftOut[],
): Promise<LeftOut[]> {
  const named = await secrets.named(leftOut.map(({ path }) => path));
  if (named.size === 0) return [...leftOut];
  return Promise.all(
    leftOut.map(async (one) =>
      named.has(one.path) ? { ...one, path: await secrets.without(one.path) } : one,
    ),
  );
}
