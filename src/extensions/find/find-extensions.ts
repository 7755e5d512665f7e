import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { loadSettings, PROJECT_DIR, projectRoot, seamHome } from "../../settings/index.ts";
import { entriesAt, entriesIn, packageEntries } from "./entries.ts";
import { SCOPES, type Source, sourceOf } from "./source.ts";
import { type Trust, trustOf } from "./trust.ts";

export interface FoundExtensions {
  /** In the order in which they run. */
  readonly sources: readonly Source[];
  /** Found in the project and not to be loaded before the user has looked at them. */
  readonly untrusted: readonly { source: Source; trust: Exclude<Trust, "trusted"> }[];
  readonly problems: readonly SeamError[];
}

export interface FindOptions {
  readonly cwd: string;
  /** Paths from the command line. */
  readonly paths?: readonly string[];
}

/** Looks in all the usual places: command line, project, user, packages. */
export function findExtensions({ cwd, paths = [] }: FindOptions): FoundExtensions {
  const { settings, projectDisabled, problems } = loadSettings(cwd);
  const root = projectRoot(cwd);
  const found: Source[] = [
    ...paths.flatMap((path) => entriesAt(resolve(cwd, path))).map((p) => sourceOf(p, "cli")),
    ...projectExtensions(root),
    ...entriesIn(join(seamHome(), "extensions")).map((path) => sourceOf(path, "user")),
    ...settings.extensions.flatMap(entriesAt).map((path) => sourceOf(path, "user")),
  ];
  const missing: SeamError[] = [];
  for (const wanted of settings.packages) {
    const dir = packageDir(wanted, root);
    if (!dir) {
      missing.push(new SeamError("SEAM_EXT_NOT_FOUND", { path: wanted }));
      continue;
    }
    const { name, paths: entries } = packageEntries(dir);
    found.push(...entries.map((path) => sourceOf(path, "package", name)));
  }

  const seen = new Set<string>();
  const wanted = found
    .filter(({ path }) => !seen.has(path) && seen.add(path))
    .filter(({ name }) => !settings.disabled.includes(name))
    // What a project's committed settings switch off are the project's own extensions, no others.
    .filter(({ name, scope }) => scope !== "project" || !projectDisabled.includes(name))
    .sort((a, b) => SCOPES.indexOf(a.scope) - SCOPES.indexOf(b.scope));
  const sources: Source[] = [];
  const untrusted: { source: Source; trust: Exclude<Trust, "trusted"> }[] = [];
  for (const source of wanted) {
    const trust = source.scope === "project" ? trustOf(root, source.path) : "trusted";
    if (trust === "trusted") sources.push(source);
    else untrusted.push({ source, trust });
  }
  return { sources, untrusted, problems: [...problems, ...missing] };
}

/** The extensions that came with the project's files. */
export function projectExtensions(root: string): Source[] {
  const dir = join(root, PROJECT_DIR, "extensions");
  return entriesIn(dir).map((path) => sourceOf(path, "project"));
}

function packageDir(wanted: string, root: string): string | undefined {
  if (isAbsolute(wanted)) return existsSync(wanted) ? wanted : undefined;
  // The user's own first: a project must not be able to put another package in its place.
  const places = [join(seamHome(), "node_modules", wanted), join(root, "node_modules", wanted)];
  return places.find((place) => existsSync(join(place, "package.json")));
}
