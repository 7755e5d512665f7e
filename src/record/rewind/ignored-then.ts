import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ignoredPaths,
  type ObjectStore,
  type RawPath,
  rawPath,
  treeValueAt,
  workPath,
} from "../../git/index.ts";

const NAME = ".gitignore";

/**
 * Which of these files git will ignore once a tree is checked out. Nothing has to be asked unless
 * the rules themselves are among what changes: files that are ignored now are in no plan.
 */
export async function ignoredThen(
  store: ObjectStore,
  tree: string,
  changed: readonly RawPath[],
  paths: readonly RawPath[],
): Promise<ReadonlySet<RawPath>> {
  const isAboutRules = changed.some((path) => path === NAME || path.endsWith(`/${NAME}`));
  if (!isAboutRules || paths.length === 0) return new Set();
  const rules = mkdtempSync(join(tmpdir(), "seam-rules-"));
  try {
    for (const path of rulesAbove(paths)) {
      const value = await treeValueAt(store, tree, path);
      // Git does not follow a link here either.
      const isFile = value?.mode === "100644" || value?.mode === "100755";
      const content = isFile ? (await store.read(value.id))?.content : undefined;
      if (!content) continue;
      const folder = path.slice(0, Math.max(0, path.lastIndexOf("/"))) as RawPath;
      mkdirSync(workPath(rules, folder), { recursive: true });
      writeFileSync(workPath(rules, path), content);
    }
    return await ignoredPaths(store.repo, paths, rules);
  } finally {
    rmSync(rules, { recursive: true, force: true });
  }
}

/** The files that can have rules for these paths. */
function rulesAbove(paths: readonly RawPath[]): Set<RawPath> {
  const files = new Set([rawPath(NAME)]);
  for (const path of paths) {
    for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
      files.add(`${path.slice(0, slash)}/${NAME}` as RawPath);
    }
  }
  return files;
}
