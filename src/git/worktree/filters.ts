import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { RawPath } from "../paths/raw-path.ts";
import { configOf } from "../repo/config.ts";
import { asBoolean } from "../repo/config-file.ts";
import { atRepo, type Repo } from "../repo/repo.ts";
import { isThere } from "../repo/small-file.ts";
import { runGit } from "../run/run-git.ts";
import { ownFilters } from "./own-filters.ts";
import { workPath } from "./work-path.ts";

/**
 * Whether git may store something else than the bytes on the disk for these paths: other line ends,
 * the pointer of a large file, another encoding. In doubt yes; mostly no attributes are around.
 */
export async function mayBeFiltered(repo: Repo, paths: readonly RawPath[]): Promise<boolean> {
  const { workTree, commonDir } = repo;
  if (workTree === undefined) return false;
  // What a sparse checkout leaves out may have attributes that only the index knows.
  if (repo.isSparse) return true;
  const config = await configOf(repo);
  const lineEnds = config.get("core.autocrlf");
  if (lineEnds !== undefined && asBoolean(lineEnds) !== false) return true;
  const { XDG_CONFIG_HOME, HOME = homedir() } = process.env;
  const usual = join(XDG_CONFIG_HOME || join(HOME, ".config"), "git/attributes");
  const own = config.get("core.attributesfile")?.replace(/^~(?=\/)/, HOME) ?? usual;
  if (!isAbsolute(own)) return true;
  return [
    own,
    "/etc/gitattributes",
    join(commonDir, "info/attributes"),
    ...[...attributeFiles(paths)].map((folder) => workPath(workTree, folder)),
  ].some(isThere);
}

/** The attribute files that could say something about these paths. */
function attributeFiles(paths: readonly RawPath[]): Set<RawPath> {
  const files = new Set([".gitattributes" as RawPath]);
  for (const path of paths) {
    for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
      files.add(`${path.slice(0, slash)}/.gitattributes` as RawPath);
    }
  }
  return files;
}

/**
 * Stores files as `git add` would. They must be there, be no links, and fit. Undefined for those
 * that git could not store, for instance because a filter failed.
 */
export async function hashFiltered(
  repo: Repo,
  workTree: string,
  paths: readonly RawPath[],
): Promise<ReadonlyMap<RawPath, string | undefined>> {
  const found = new Map<RawPath, string | undefined>();
  const args = [...atRepo(repo), "--work-tree", workTree, "hash-object", "-w", "--stdin-paths"];
  const settings = await ownFilters(repo);
  let rest = paths;
  while (rest.length > 0) {
    const input = Buffer.from(rest.map((path) => `${quoted(path)}\n`).join(""), "latin1");
    const { stdout } = await runGit(args, { cwd: workTree, input, settings });
    const ids = stdout
      .toString()
      .split("\n")
      .filter((id) => id !== "");
    // git stops at the first file it cannot store.
    for (const [at, path] of rest.slice(0, ids.length + 1).entries()) found.set(path, ids[at]);
    rest = rest.slice(ids.length + 1);
  }
  return found;
}

/** A line that starts with a quote is taken for a quoted path. */
function quoted(path: RawPath): string {
  if (!/["\n\\]/.test(path)) return path;
  return `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
