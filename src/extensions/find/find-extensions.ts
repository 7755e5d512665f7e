import { join, relative, resolve } from "node:path";
import { inWords, SeamError } from "../../errors/index.ts";
import {
  agreedAround,
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
import { changedError, changedPackage } from "./installed-content.ts";
import { parseEntry } from "./package-source.ts";
import {
  agentIn,
  fromUserPackage,
  isAgent,
  isProjects,
  type ProjectExtension,
  projectExtensions,
  projectPackage,
  userPackage,
} from "./project-extensions.ts";
import { knownPath, SCOPES, type Source, sourceOf } from "./source.ts";
import { type JudgedExtension, judgeAll } from "./trust.ts";

/** The extensions for a folder, and those that nobody agreed to yet. */
export interface FoundExtensions {
  /** In the order in which they run. Those of the project are copies of what the user trusted. */
  readonly sources: readonly Source[];
  /** Extensions of the project that are not loaded until the user has looked at them. */
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

/**
 * Looks in all the usual places: command line, project, user, packages.
 *
 * @example
 * const { sources, untrusted } = findExtensions({ cwd: process.cwd() });
 * console.log(sources.map(({ name }) => name), `${untrusted.length} wait for seam trust`);
 */
export function findExtensions({ cwd, paths = [] }: FindOptions): FoundExtensions {
  const loaded = loadSettings(cwd);
  const { settings, listed } = loaded;
  const root = projectRoot(cwd);
  const problems = [...loaded.problems];
  const fault = trustFault();
  if (fault !== undefined) problems.push(new SeamError("SEAM_TRUST_FILE", { detail: fault }));
  problems.push(...missingPackages(root, listed), ...changedPackages(listed));

  const given = paths
    .flatMap((path) => entriesAt(resolve(cwd, path)))
    .map((p) => sourceOf(p, "cli"));
  const own = usersExtensions(listed.user);
  const around = agreedAround(root);
  const isTheirs = ({ source }: ProjectExtension) =>
    [root, ...around].some((project) => isProjects(project, source.path));
  const named = new Set(given.map(({ path }) => path));
  const theirs = tryProject(root, loaded);
  if (theirs.problem) problems.push(theirs.problem);
  const judged = theirs.judged
    .filter((one) => !isAgent(one))
    .filter(({ source }) => !named.has(source.path))
    .filter((one) => !isLeftOut(one, listed.project.disabled));
  const outer = around
    .flatMap(agreedIn)
    .filter(({ source, trusted }) => !named.has(source.path) && !isAmong(judged, trusted));
  problems.push(...[...judged, ...outer].flatMap(problemsOf));

  const seen = new Set<string>();
  const sources = [
    ...given,
    ...[...judged, ...outer].flatMap(({ trusted }) => trusted ?? []),
    ...own.filter((one) => !isTheirs(one)).map(({ source }) => source),
  ]
    .filter(({ path }) => !seen.has(path) && seen.add(path))
    .filter(({ name }) => !settings.disabled.includes(name))
    .sort((a, b) => SCOPES.indexOf(a.scope) - SCOPES.indexOf(b.scope));
  const untrusted = judged
    .filter(({ trusted }) => !trusted)
    .map(({ source }) => source)
    .filter(({ name }) => !settings.disabled.includes(name));
  return { sources, untrusted, problems, watched: watchedFiles(sources, [...judged, ...outer]) };
}

/** What the user agreed to in a project holds in all folders below it, whatever these contain. */
function agreedIn(project: string): JudgedExtension[] {
  const loaded = loadSettings(project);
  return tryProject(project, loaded)
    .judged.filter((one) => one.trusted !== undefined && !isAgent(one))
    .filter((one) => !isLeftOut(one, loaded.listed.project.disabled));
}

/** A work tree inside of its own project has the same extensions: those that are trusted in both run once. */
function isAmong(inner: readonly JudgedExtension[], trusted: Source | undefined): boolean {
  const content = contentIn(trusted);
  return content !== undefined && inner.some((one) => contentIn(one.trusted) === content);
}

/** What a copy is made of, by the paths from its project; undefined if it cannot run. */
function contentIn(source: Source | undefined): string | undefined {
  if (!source?.copy || source.copy.fault !== undefined) return undefined;
  const { id, project, from } = source.copy;
  const files = Object.entries(readManifest(id)).map(([path, hash]) => [
    relative(project, path),
    hash,
  ]);
  return JSON.stringify([relative(project, from), files.sort()]);
}

/** Agents that packages bring: those the user names, and of the project what the user trusted. */
export function findAgentPackages(cwd: string): Pick<FoundExtensions, "sources" | "problems"> {
  const loaded = loadSettings(cwd);
  const root = projectRoot(cwd);
  const { user } = loaded.listed;
  const own = user.agents
    .filter((wanted) => !changedPackage(wanted))
    .flatMap((wanted) => agentIn(userPackage(wanted)));
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
      ...user.agents.flatMap((wanted) => changedPackage(wanted) ?? []).map(changedError),
      ...judged.flatMap(problemsOf),
    ],
  };
}

/** Whatever a project contains, the user's own extensions run, and what was trusted there. */
function tryProject(root: string, loaded: ReturnType<typeof loadSettings>) {
  try {
    return { judged: judgeWith(root, loaded, false) };
  } catch (thrown) {
    const problem =
      thrown instanceof SeamError
        ? thrown
        : new SeamError("SEAM_EXT_PROJECT", { path: root, detail: inWords(thrown) });
    return { judged: judgeAll(root, [], false), problem };
  }
}

/** The extensions whose files are a project's, with all their files, and what the user thinks of each. */
export function judgeProject(root: string): JudgedExtension[] {
  return judgeWith(root, loadSettings(root, { asIfTrusted: true }), true);
}

function judgeWith(
  root: string,
  loaded: ReturnType<typeof loadSettings>,
  readsNew: boolean,
): JudgedExtension[] {
  const own = usersExtensions(loaded.listed.user);
  const theirs = own.filter(({ source }) => isProjects(root, source.path));
  return judgeAll(root, [...projectExtensions(root, loaded), ...theirs], readsNew);
}

type Listed = ReturnType<typeof loadSettings>["listed"];

function missingPackages(root: string, { user, project }: Listed): SeamError[] {
  const missing = (wanted: string, option: string) =>
    parseEntry(wanted)
      ? new SeamError("SEAM_PACKAGE_MISSING", { source: wanted, option })
      : new SeamError("SEAM_EXT_NOT_FOUND", { path: wanted });
  return [
    ...user.packages
      .filter((wanted) => userPackage(wanted) === undefined)
      .map((wanted) => missing(wanted, "")),
    ...project.packages
      .filter((wanted) => projectPackage(root, wanted) === undefined)
      .map((wanted) => missing(wanted, " --project")),
  ];
}

/** Those that bring no extension, which would say so itself. */
function changedPackages({ user }: Listed): SeamError[] {
  return user.packages.flatMap((wanted) => {
    if (fromUserPackage(wanted).length > 0) return [];
    const changed = changedPackage(wanted);
    return changed ? [changedError(changed)] : [];
  });
}

/** What the user has in the folder of extensions, and names in the settings. */
function usersExtensions({ extensions, packages }: Listed["user"]): ProjectExtension[] {
  const files = [...entriesIn(join(seamHome(), "extensions")), ...extensions.flatMap(entriesAt)];
  return [
    ...files.map((path) => ({ source: sourceOf(path, "user") })),
    ...packages.flatMap(fromUserPackage),
  ];
}

/** A project leaves out its own extensions, never one that the user named. */
function isLeftOut({ source, trusted = source }: JudgedExtension, disabled: readonly string[]) {
  return source.scope !== "user" && disabled.includes(trusted.name);
}

const SAID = {
  changed: "has changed since you trusted it",
  gone: "is gone since you trusted it",
} as const;
const SAID_ELSEWHERE = {
  changed: "is not what you trusted in",
  gone: "is missing, you trusted it in",
};

/** What the user has to know of an extension that was trusted. */
function problemsOf({ source, trust, trusted, agreement }: JudgedExtension): SeamError[] {
  const { path } = source;
  const detail = trusted?.copy?.fault;
  if (detail !== undefined) return [new SeamError("SEAM_TRUST_COPY", { path, detail })];
  if (trust === "trusted" || trust === "new") return [];
  const lender = agreement?.lender;
  if (lender?.isCutOff) return [cutOffError(lender.root, path, trusted)];
  const what = lender ? `${SAID_ELSEWHERE[trust]} ${lender.root}` : SAID[trust];
  return [new SeamError("SEAM_EXT_CHANGED", { path, what })];
}

function cutOffError(lender: string, path: string, trusted: Source | undefined): SeamError {
  const what = `holds at ${path} too, though git no longer says that this is of one repository with ${lender}`;
  return new SeamError("SEAM_EXT_CHANGED", { path: trusted ? knownPath(trusted) : path, what });
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
