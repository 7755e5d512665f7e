import { join, resolve } from "node:path";
import { inWords, SeamError } from "../../errors/index.ts";
import {
  copyDir,
  loadSettings,
  pathInCopy,
  projectRoot,
  readManifest,
  seamHome,
  trustFault,
} from "../../settings/index.ts";
import { entriesAt, entriesIn } from "./entries.ts";
import { importedFiles } from "./imported-files.ts";
import {
  agentIn,
  fromPackage,
  isAgent,
  isProjects,
  type ProjectExtension,
  projectExtensions,
  projectPackage,
  userPackage,
} from "./project-extensions.ts";
import { SCOPES, type Source, sourceOf } from "./source.ts";
import { type JudgedExtension, judgeAll } from "./trust.ts";

/** The extensions for a folder, and those that nobody agreed to yet. */
export interface FoundExtensions {
  /** In the order in which they run. Those of the project are copies of what the user trusted. */
  readonly sources: readonly Source[];
  /** Found in the project and not to be loaded before the user has looked at them. */
  readonly untrusted: readonly Source[];
  readonly problems: readonly SeamError[];
  /** Files and folders: as long as none of them changes, the same would be found again. */
  readonly watched: readonly string[];
}

export interface FindOptions {
  readonly cwd: string;
  /** Paths from the command line. */
  readonly paths?: readonly string[];
}

/** Looks in all the usual places: command line, project, user, packages. */
export function findExtensions({ cwd, paths = [] }: FindOptions): FoundExtensions {
  const loaded = loadSettings(cwd);
  const { settings, listed } = loaded;
  const root = projectRoot(cwd);
  const problems = [...loaded.problems];
  const fault = trustFault();
  if (fault !== undefined) problems.push(new SeamError("SEAM_TRUST_FILE", { detail: fault }));
  for (const path of missingPackages(root, listed)) {
    problems.push(new SeamError("SEAM_EXT_NOT_FOUND", { path }));
  }

  const given = paths
    .flatMap((path) => entriesAt(resolve(cwd, path)))
    .map((p) => sourceOf(p, "cli"));
  const own = usersExtensions(listed.user);
  const isTheirs = ({ source }: ProjectExtension) => isProjects(root, source.path);
  const named = new Set(given.map(({ path }) => path));
  const theirs = tryProject(root, loaded);
  if (theirs.problem) problems.push(theirs.problem);
  const judged = theirs.judged
    .filter((one) => !isAgent(one))
    .filter(({ source }) => !named.has(source.path))
    .filter((one) => !isLeftOut(one, listed.project.disabled));
  problems.push(...judged.flatMap(problemsOf));

  const seen = new Set<string>();
  const sources = [
    ...given,
    ...judged.flatMap(({ trusted }) => trusted ?? []),
    ...own.filter((one) => !isTheirs(one)).map(({ source }) => source),
  ]
    .filter(({ path }) => !seen.has(path) && seen.add(path))
    .filter(({ name }) => !settings.disabled.includes(name))
    .sort((a, b) => SCOPES.indexOf(a.scope) - SCOPES.indexOf(b.scope));
  const untrusted = judged
    .filter(({ trusted }) => !trusted)
    .map(({ source }) => source)
    .filter(({ name }) => !settings.disabled.includes(name));
  return { sources, untrusted, problems, watched: watchedFiles(sources, judged) };
}

/** Agents that packages bring: those the user names, and of the project what the user trusted. */
export function findAgentPackages(cwd: string): Pick<FoundExtensions, "sources" | "problems"> {
  const loaded = loadSettings(cwd);
  const root = projectRoot(cwd);
  const { user } = loaded.listed;
  const own = user.agents.flatMap((wanted) => agentIn(userPackage(wanted)));
  const theirs = tryProject(root, loaded);
  const judged = theirs.judged.filter(isAgent);
  const missing = user.agents.filter((wanted) => userPackage(wanted) === undefined);
  return {
    sources: [
      // What lies in a project is a project's, whoever names it.
      ...own.filter(({ source }) => !isProjects(root, source.path)).map(({ source }) => source),
      ...judged.flatMap(({ trusted }) => trusted ?? []).filter(({ copy }) => !copy?.fault),
    ],
    problems: [
      ...missing.map((path) => new SeamError("SEAM_EXT_NOT_FOUND", { path })),
      ...judged.flatMap(problemsOf),
    ],
  };
}

/** Whatever a project contains, the user's own extensions run, and what was trusted there. */
function tryProject(root: string, loaded: ReturnType<typeof loadSettings>) {
  try {
    return { judged: judgeProject(root, loaded) };
  } catch (thrown) {
    const detail = inWords(thrown);
    const problem = new SeamError("SEAM_EXT_PROJECT", { path: root, detail });
    return { judged: judgeAll(root, []), problem };
  }
}

/** The extensions whose files are a project's, and what the user thinks of each. */
export function judgeProject(
  root: string,
  loaded = loadSettings(root, { asIfTrusted: true }),
): JudgedExtension[] {
  const own = usersExtensions(loaded.listed.user);
  const theirs = own.filter(({ source }) => isProjects(root, source.path));
  return judgeAll(root, [...projectExtensions(root, loaded), ...theirs]);
}

type Listed = ReturnType<typeof loadSettings>["listed"];

function missingPackages(root: string, { user, project }: Listed): string[] {
  return [
    ...user.packages.filter((wanted) => userPackage(wanted) === undefined),
    ...project.packages.filter((wanted) => projectPackage(root, wanted) === undefined),
  ];
}

/** What the user has in the folder of extensions, and names in the settings. */
function usersExtensions({ extensions, packages }: Listed["user"]): ProjectExtension[] {
  const files = [...entriesIn(join(seamHome(), "extensions")), ...extensions.flatMap(entriesAt)];
  return [
    ...files.map((path) => ({ source: sourceOf(path, "user") })),
    ...packages.flatMap((wanted) => fromPackage(userPackage(wanted))),
  ];
}

/** A project leaves out its own extensions, never one that the user named. */
function isLeftOut({ source, trusted = source }: JudgedExtension, disabled: readonly string[]) {
  return source.scope !== "user" && disabled.includes(trusted.name);
}

const SAID = { changed: "has changed", gone: "is gone" } as const;

/** What the user has to know of an extension that was trusted. */
function problemsOf({ source: { path }, trust, trusted }: JudgedExtension): SeamError[] {
  const detail = trusted?.copy?.fault;
  if (detail !== undefined) return [new SeamError("SEAM_TRUST_COPY", { path, detail })];
  if (trust === "trusted" || trust === "new") return [];
  return [new SeamError("SEAM_EXT_CHANGED", { path, what: SAID[trust] })];
}

function watchedFiles(sources: readonly Source[], judged: readonly JudgedExtension[]): string[] {
  const files = [
    ...sources.flatMap(({ path, copy }) => (copy ? copiedFiles(copy.id) : importedFiles(path))),
    ...judged.flatMap(({ source, content }) => [source.path, ...(content?.keys() ?? [])]),
  ];
  // A new file beside them may be what an import means now.
  return [...new Set([...files, ...files.map((file) => join(file, ".."))])];
}

function copiedFiles(id: string): string[] {
  const list = join(copyDir(id), "manifest.json");
  try {
    return [list, ...Object.keys(readManifest(id)).map((path) => pathInCopy(id, path))];
  } catch {
    return [list];
  }
}
