import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { isBelow } from "../../files/index.ts";
import { type loadSettings, PROJECT_DIR, seamHome } from "../../settings/index.ts";
import { entriesAt, entriesIn, packageEntries } from "./entries.ts";
import { changedPackage } from "./installed-content.ts";
import { addedFolder } from "./package-source.ts";
import { type Source, sourceOf } from "./source.ts";

/** An extension whose files are a project's: it runs only as a copy of what the user agreed to. */
export interface ProjectExtension {
  /** Where it is in the project. */
  readonly source: Source;
  /** The folder that is its alone, if that cannot be told from its path. */
  readonly folder?: string;
}

type Settings = Pick<ReturnType<typeof loadSettings>, "listed">;

/** More names than any project has in its folder of extensions. */
export const MOST_NAMES = 5_000;

/** The extensions that come with a project: in its folder of extensions, or named by its settings. */
export function projectExtensions(root: string, { listed }: Settings): ProjectExtension[] {
  const { extensions, packages } = listed.project;
  const own = entriesIn(join(root, PROJECT_DIR, "extensions"), MOST_NAMES);
  return [...own, ...extensions.flatMap(entriesAt)]
    .map((path): ProjectExtension => ({ source: sourceOf(path, "project") }))
    .concat(packages.flatMap((wanted) => fromPackage(projectPackage(root, wanted))))
    .concat(listed.project.agents.flatMap((wanted) => agentIn(projectPackage(root, wanted))));
}

/** What the name of an agent's package begins with, where others have the name of an extension. */
const AGENT = "agent:";

/** The agent of a package: trusted like an extension, and loaded as something else. */
export function agentIn(dir: string | undefined): ProjectExtension[] {
  if (dir === undefined) return [];
  const { name, paths } = packageEntries(dir, "agents");
  return paths.map((path) => ({ source: sourceOf(path, "package", AGENT + name), folder: dir }));
}

export function isAgent({ source }: ProjectExtension): boolean {
  return source.name.startsWith(AGENT);
}

/** Where a package is that a project's settings name; undefined if it is not there. */
export function projectPackage(root: string, wanted: string): string | undefined {
  const added = addedFolder(join(root, PROJECT_DIR), wanted);
  const dir = added ?? (isAbsolute(wanted) ? wanted : join(root, "node_modules", wanted));
  return existsSync(dir) ? dir : undefined;
}

/**
 * Where a package is that the user's settings name: nowhere but where the user installs them. A
 * project's node_modules could hold another one under the same name.
 */
export function userPackage(wanted: string): string | undefined {
  const added = addedFolder(seamHome(), wanted);
  if (added !== undefined) return existsSync(added) ? added : undefined;
  const dir = isAbsolute(wanted) ? wanted : join(seamHome(), "node_modules", wanted);
  return existsSync(isAbsolute(wanted) ? dir : join(dir, "package.json")) ? dir : undefined;
}

export function fromPackage(dir: string | undefined): ProjectExtension[] {
  if (dir === undefined) return [];
  const { name, paths } = packageEntries(dir);
  return paths.map((path) => ({ source: sourceOf(path, "package", name), folder: dir }));
}

/**
 * The extensions of a package that the user's settings name. Of one that was changed since it was
 * added none runs: they are there all the same, so that each says why.
 */
export function fromUserPackage(wanted: string): ProjectExtension[] {
  const found = fromPackage(userPackage(wanted));
  const changed = changedPackage(wanted);
  if (!changed) return found;
  const all =
    found.length > 0 || !changed.critical
      ? found
      : [{ source: sourceOf(wanted, "package", changed.name) }];
  return all.map((one) => ({ ...one, source: { ...one.source, changed } }));
}

/**
 * Whether a file the user named is a project's all the same: whoever works in the project can write
 * it. The user's own Seam folder is nobody's project, nor is a home folder that is kept in git.
 */
export function isProjects(project: string, path: string): boolean {
  const root = realOf(project);
  const real = realOf(path);
  if (root === realOf(homedir()) || !isBelow(real, root)) return false;
  return !isBelow(real, realOf(seamHome()));
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
