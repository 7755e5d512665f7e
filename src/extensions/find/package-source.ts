import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";
import { SeamError } from "../../errors/index.ts";

/**
 * Where a package comes from, as somebody asked for it. `asked`: what updates follow, where one
 * version of it is to be fetched.
 */
export type PackageSource =
  | {
      readonly kind: "npm";
      readonly name: string;
      readonly range?: string;
      readonly asked?: string;
    }
  | { readonly kind: "git"; readonly url: string; readonly ref?: string; readonly asked?: string }
  | { readonly kind: "folder"; readonly path: string };

const NPM_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
// A version, a range or a tag. Nothing that npm would take for an address or another name.
const NPM_RANGE = /^(?!-)[\w.^~*+<>=|-]+$/;
const GIT_URL = /^(?:https:\/\/|ssh:\/\/|file:\/\/\/)[^\s-][^\s]*$/;
/** How ssh writes it, `git@host:path`: not `name@tag:` of npm. */
const SSH_PATH = /^(?:git@\w[\w.-]*|\w[\w.-]*@\w[\w-]*\.[\w.-]+):[^\s:-][^\s:]*$/;
const isAddress = (url: string) => GIT_URL.test(url) || SSH_PATH.test(url);
const GIT_REF = /^[\w.][\w./-]*$/;

const refuse = (source: string, detail: string) =>
  new SeamError("SEAM_PACKAGE_SOURCE", { source, detail });

/** Reads what was written behind `seam ext add`: a folder, an address of git, or a name of npm. */
export function parseSource(text: string, cwd: string): PackageSource {
  const given = text.trim();
  if (given === "" || given.startsWith("-")) throw refuse(text, "it is no name and no address");
  const entry = parseEntry(given);
  if (entry?.asked !== undefined) return exactSource(entry);
  if (given.startsWith("npm:")) return npmSource(given.slice("npm:".length), text);
  if (given.startsWith("git:")) return gitSource(withScheme(given.slice("git:".length)), text);
  if (/^(https|ssh|file):\/\//.test(given) || SSH_PATH.test(given)) return gitSource(given, text);
  if (/^[a-z+.-]+:/i.test(given)) {
    throw refuse(text, "only https, ssh and file addresses are fetched");
  }
  if (/^(\.{1,2}(\/|$)|\/|~\/)/.test(given)) return folderSource(given, cwd);
  return npmSource(given, text);
}

/** Whether this is a name of npm with a version, and nothing that npm would fetch from elsewhere. */
export const isNpmSpec = (name: string, range: string) =>
  NPM_NAME.test(name) && NPM_RANGE.test(range);

/** `github.com/user/repository` is how Pi writes it. */
function withScheme(address: string): string {
  return /:\/\/|@[\w.-]+:/.test(address) ? address : `https://${address}`;
}

function npmSource(spec: string, text: string): PackageSource {
  const at = spec.indexOf("@", 1);
  const name = at < 0 ? spec : spec.slice(0, at);
  const range = at < 0 ? undefined : spec.slice(at + 1);
  if (!NPM_NAME.test(name)) throw refuse(text, `"${name}" is not the name of an npm package`);
  if (range !== undefined && !NPM_RANGE.test(range)) {
    throw refuse(text, `"${range}" is not a version`);
  }
  return { kind: "npm", name, ...(range !== undefined && { range }) };
}

function gitSource(address: string, text: string): PackageSource {
  // Pi writes the branch behind an @, git's own tools behind a #.
  const [, url = address, ref] = /^(.+?[^/@])(?:#|@(?=[^@:/]*$))([^@#]*)$/s.exec(address) ?? [];
  if (!isAddress(url)) throw refuse(text, `"${url}" is not an address that can be cloned`);
  // It would stand in the settings, which a project shares.
  if (/^\w+:\/\/[^/]*:[^/]*@/.test(url)) {
    throw refuse(
      url.replace(/:[^/:@]*@/, ":…@"),
      "its password would stand in the settings; without it git asks for it",
    );
  }
  if (ref !== undefined && !GIT_REF.test(ref)) {
    throw refuse(text, `"${ref}" is not a branch, tag or commit`);
  }
  return { kind: "git", url, ...(ref !== undefined && { ref }) };
}

function folderSource(given: string, cwd: string): PackageSource {
  const path = given.startsWith("~/") ? join(homedir(), given.slice(2)) : resolve(cwd, given);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw refuse(given, "there is no such folder");
  }
  return { kind: "folder", path };
}

/**
 * A package that was fetched, as settings name it: exactly this version. `asked`: the range, tag or
 * branch it was chosen from, which updates go on following.
 */
export type PackageEntry = { readonly asked?: string } & (
  | { readonly kind: "npm"; readonly name: string; readonly version: string }
  | { readonly kind: "git"; readonly url: string; readonly commit: string }
);

export function entryText(entry: PackageEntry): string {
  const exact =
    entry.kind === "npm"
      ? `npm:${entry.name}@${entry.version}`
      : `git:${entry.url}#${entry.commit}`;
  return entry.asked === undefined ? exact : `${exact}#${entry.asked}`;
}

/** What an update follows, of what was asked for: nothing where that is one version, or the newest. */
export function followed({ kind, ...source }: Exclude<PackageSource, { kind: "folder" }>) {
  const asked = source.asked ?? ("name" in source ? source.range : source.ref);
  if (asked === undefined || asked === NEWEST[kind] || EXACT[kind].test(asked)) return {};
  return { asked };
}

const NEWEST = { npm: "latest", git: "HEAD" } as const;
const EXACT = { npm: /^[v=]?\d+\.\d+\.\d+[\w.+-]*$/, git: /^[0-9a-f]{7,64}$/ } as const;

function exactSource(entry: PackageEntry): PackageSource {
  const asked = entry.asked !== undefined && { asked: entry.asked };
  return entry.kind === "npm"
    ? { kind: "npm", name: entry.name, range: entry.version, ...asked }
    : { kind: "git", url: entry.url, ref: entry.commit, ...asked };
}

/** Undefined for what settings name otherwise: a folder, or a package the user installed. */
export function parseEntry(text: string): PackageEntry | undefined {
  const [, name, version, range] = /^npm:([^#]+)@([\w.+-]+)(?:#(.+))?$/s.exec(text) ?? [];
  if (name !== undefined && version !== undefined && NPM_NAME.test(name)) {
    if (range !== undefined && !NPM_RANGE.test(range)) return undefined;
    return { kind: "npm", name, version, ...(range !== undefined && { asked: range }) };
  }
  const [, url, commit, ref] = /^git:([^#]+)#([0-9a-f]{40,64})(?:#(.+))?$/s.exec(text) ?? [];
  if (url === undefined || commit === undefined || !isAddress(url)) return undefined;
  if (ref !== undefined && !GIT_REF.test(ref)) return undefined;
  return { kind: "git", url, commit, ...(ref !== undefined && { asked: ref }) };
}

/** Where the newest version is of what somebody asked for; undefined for what was not fetched. */
export function updateSource(text: string): PackageSource | undefined {
  const entry = parseEntry(text);
  if (!entry) return undefined;
  const { asked } = entry;
  return entry.kind === "npm"
    ? { kind: "npm", name: entry.name, ...(asked !== undefined && { range: asked }) }
    : { kind: "git", url: entry.url, ...(asked !== undefined && { ref: asked }) };
}

/** Whether two entries are versions of the same package. */
export function isSamePackage(one: string, other: string): boolean {
  return withoutVersion(one) === withoutVersion(other);
}

function withoutVersion(text: string): string {
  const entry = parseEntry(text);
  if (!entry) return text;
  return entry.kind === "npm" ? `npm:${entry.name}` : `git:${entry.url}`;
}

/** What people call it. */
export function shownEntry(text: string): string {
  const entry = parseEntry(text);
  if (entry?.kind === "npm") return entry.name;
  if (entry) return basename(entry.url, ".git");
  return isAbsolute(text) ? basename(text) : text;
}

/** Where packages are installed: `base` is the user's Seam folder, or a project's. */
export const packagesFolder = (base: string) => join(base, "packages");

/** One folder for each version: which one is in force is what the settings say. */
export function installFolder(base: string, entry: PackageEntry): string {
  const name =
    entry.kind === "npm"
      ? `${entry.name.replace("/", "+")}@${entry.version}`
      : `${shownEntry(entryText(entry))}-${hash(entry.url)}@${entry.commit.slice(0, 12)}`;
  return join(packagesFolder(base), name);
}

const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);

/** The package itself in such a folder, without what it depends on. */
export function packageIn(folder: string, entry: PackageEntry): string {
  return entry.kind === "npm" ? join(folder, "node_modules", entry.name) : join(folder, "package");
}

/** Where a package is that settings name; undefined if it was not added with `seam ext add`. */
export function addedFolder(base: string, text: string): string | undefined {
  const entry = parseEntry(text);
  return entry && packageIn(installFolder(base, entry), entry);
}
