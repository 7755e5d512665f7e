import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Every file and folder below, with what is in it; without those whose path matches `except`. */
export function contentsOf(root: string, except: RegExp): Map<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => !except.test(path))
    .sort();
  return new Map(paths.map((path) => [path, contentOf(join(root, path))]));
}

function contentOf(path: string): string {
  const stat = lstatSync(path);
  const mode = (stat.mode & 0o777).toString(8);
  if (stat.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  return stat.isFile() ? `${mode} ${readFileSync(path, "latin1")}` : `folder ${mode}`;
}

/** What of `before` is different or gone in `after`, and what is new in it. */
export function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const lost = [...before].filter(([path, content]) => after.get(path) !== content);
  const added = [...after.keys()].filter((path) => !before.has(path));
  return [
    ...lost.map(([path]) => `${after.has(path) ? "changed" : "gone"}: ${path}`),
    ...added.map((path) => `new: ${path}`),
  ];
}
