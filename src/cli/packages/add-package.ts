import { isAbsolute, join, relative, resolve } from "node:path";
import {
  changedDependencies,
  contentsOf,
  type FetchedPackage,
  fetchPackage,
  folderOf,
  isSamePackage,
  nameInSettings,
  ownFiles,
  type PackageContent,
  type PackagePlace,
  type PackageSource,
  placeOf,
  refuseLinksOutside,
  withPackages,
} from "../../extensions/index.ts";
import { listedPackages, projectRoot } from "../../settings/index.ts";
import { agreed } from "../ask/terminal.ts";
import { printLine, progressLine } from "../print.ts";
import { isWaiting, trustItems } from "../trust/items.ts";
import { changedFiles, contentLines, dependencyLines, updateLines } from "./content-lines.ts";

export interface AddOptions {
  readonly project?: boolean;
  readonly allowScripts?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** What became of a package that was asked for. */
export interface Added extends Partial<PackageContent> {
  readonly source: string;
  readonly outcome: "added" | "updated" | "unchanged" | "declined";
  /** As it was before. */
  readonly replaced?: string;
}

/** Fetches a package, shows what is in it or what changed, and puts it in force if the user agrees. */
export async function addPackage(
  source: PackageSource,
  place: PackagePlace,
  options: AddOptions,
): Promise<Added> {
  if (source.kind === "folder") return addFolder(source.path, place, options);
  return withPackages(place, async () => {
    const progress = progressLine();
    const { allowScripts = false } = options;
    const { base } = place;
    const fetched = await fetchPackage(source, {
      base,
      allowScripts,
      onStep: (text) => progress.show(text),
    }).finally(() => progress.clear());
    try {
      return await decide(fetched, place, options);
    } finally {
      fetched.discard();
    }
  });
}

async function decide(
  fetched: FetchedPackage,
  place: PackagePlace,
  options: AddOptions,
): Promise<Added> {
  const { entry, dir, folder, keep } = fetched;
  refuseLinksOutside(folder, entry);
  const content = contentsOf(dir, entry);
  const replaced = listedPackages(place.settings).find((one) => isSamePackage(one, entry));
  const changes = replaced === undefined ? undefined : changesFrom(place, replaced, fetched);
  if (replaced === entry && changes?.count === 0) {
    return { source: entry, outcome: "unchanged", ...content };
  }
  const lines = contentLines(dir, content, options.allowScripts === true);
  if (changes) lines.push(...changes.lines);
  const verb = changes ? "Update it" : "Add it";
  if (!(await isAgreed(lines, verb, options))) return { source: entry, outcome: "declined" };
  await inForce(place, options, () => {
    keep();
    nameInSettings(place, entry);
  });
  return {
    source: entry,
    outcome: changes ? "updated" : "added",
    ...content,
    ...(replaced !== undefined && { replaced }),
  };
}

/** How a package differs from the version in force, with what both depend on. */
function changesFrom(place: PackagePlace, replaced: string, { dir, folder }: FetchedPackage) {
  const before = { dir: placeOf(place, replaced), folder: folderOf(place, replaced) ?? "" };
  const files = changedFiles(filesAt(before.dir), ownFiles(dir));
  const dependencies = changedDependencies(before, { dir, folder });
  return {
    count: files.length + dependencies.length,
    lines: [...updateLines(files), ...dependencyLines(dependencies)],
  };
}

/** A folder stays where it is: whoever works on it sees each change at once. */
async function addFolder(path: string, place: PackagePlace, options: AddOptions): Promise<Added> {
  const content = contentsOf(path, path);
  const root = resolve(place.base, "..");
  const below = relative(root, path);
  const isBelow = options.project && !below.startsWith("..") && !isAbsolute(below);
  const entry = isBelow ? `./${below}` : path;
  if (listedPackages(place.settings).includes(entry)) {
    return { source: entry, outcome: "unchanged", ...content };
  }
  const lines = contentLines(path, content, false);
  if (!(await isAgreed(lines, "Add it", options))) return { source: entry, outcome: "declined" };
  await inForce(place, options, () => nameInSettings(place, entry));
  return { source: entry, outcome: "added", ...content };
}

async function isAgreed(
  lines: readonly string[],
  verb: string,
  options: AddOptions,
): Promise<boolean> {
  if (!options.json) for (const line of lines) printLine(line);
  return agreed(`An extension can do what you can do on this machine. ${verb}?`, options);
}

/**
 * Names the package in the settings. What a project names runs only after the user agreed to its
 * settings and to the extension: whoever has just agreed to it need not say so again. What else waits
 * in that file is not agreed to on the way.
 */
async function inForce(
  place: PackagePlace,
  { project }: AddOptions,
  change: () => void,
): Promise<void> {
  if (!project) {
    change();
    return;
  }
  const root = projectRoot(resolve(place.base, ".."));
  const waitedBefore = new Set((await trustItems(root)).filter(isWaiting).map(({ path }) => path));
  change();
  const items = await trustItems(root);
  const settings = items.find(({ path }) => path === join(place.base, "settings.json"));
  if (settings && !waitedBefore.has(settings.path)) settings.accept();
  for (const item of await trustItems(root)) {
    const isNew = isWaiting(item) && !waitedBefore.has(item.path) && !item.problem;
    if (item.kind === "extension" && isNew) item.accept();
  }
}

function filesAt(dir: string): ReadonlyMap<string, Buffer> {
  try {
    return ownFiles(dir);
  } catch {
    return new Map();
  }
}
