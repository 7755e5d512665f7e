import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { inWords, SeamError } from "../../errors/index.ts";
import { isBelow, LARGE_FILE, readRegular } from "../../files/index.ts";
import {
  agree,
  agreementTo,
  type Content,
  copiesDir,
  copyBehind,
  faultOf,
  type HeldAgreement,
  hashOf,
  heldAgreements,
  idOf,
  keepAgain,
  manifestOf,
  pathBeforeCopy,
  pathInCopy,
  readManifest,
  seamHome,
  type Trust,
} from "../../settings/index.ts";
import { contentOf } from "./content-of.ts";
import { declaredCritical } from "./declared-critical.ts";
import { changedError } from "./installed-content.ts";
import type { ProjectExtension } from "./project-extensions.ts";
import { type Source, sourceOf, type TrustedCopy } from "./source.ts";

/** An extension of a project, and whether the user agreed to it as it is now. */
export interface JudgedExtension extends ProjectExtension {
  readonly trust: Trust;
  /** What it is made of now; undefined if it is gone or cannot be had. */
  readonly content?: Content;
  /** Why it cannot be trusted as it is. */
  readonly problem?: SeamError;
  /** What runs in its place: the copy of what the user agreed to. */
  readonly trusted?: Source;
  readonly agreement?: HeldAgreement;
}

/**
 * All extensions of a project: those that are there, and those that were there when trusted. Unless
 * `readsNew`, of those that nobody agreed to no file is read: a folder may contain as many, and as large
 * ones, as it likes.
 */
export function judgeAll(
  root: string,
  found: readonly ProjectExtension[],
  readsNew: boolean,
): JudgedExtension[] {
  const held = new Map(
    [...heldAgreements(root)].map(([key, all]) => [
      resolve(root, key),
      all.filter(({ kind }) => kind === "extension"),
    ]),
  );
  const there = new Set(found.map(({ source }) => source.path));
  const gone = [...held]
    .filter(([path]) => !there.has(path))
    .flatMap(([path, all]) =>
      all
        .filter((one) => goesOn(root, one))
        .slice(0, 1)
        .map(({ name, scope = "project" }) => ({ source: sourceOf(path, scope, name) })),
    );
  return [...found, ...gone].map((one) => {
    const isGone = !there.has(one.source.path);
    const agreements = held.get(one.source.path) ?? [];
    return judge(root, one, agreements, !isGone && (readsNew || agreements.length > 0));
  });
}

/**
 * Whether what was agreed to goes on whatever becomes of its files. In another work tree only what must not
 * be missing does: that one may be of a time before the extension. A project around is asked anyway.
 */
function goesOn(root: string, { lender, critical }: HeldAgreement): boolean {
  return !lender || (critical === true && !isBelow(root, lender.root));
}

function judge(
  root: string,
  extension: ProjectExtension,
  held: readonly HeldAgreement[],
  isRead: boolean,
): JudgedExtension {
  const { source, folder } = extension;
  const now = isRead ? attempt(source, () => contentOf(root, source.path, folder)) : {};
  const id = now.content && idOf(manifestOf(now.content));
  const agreement = agreementThatHolds(root, held, id);
  if (!agreement) {
    // What the user named must not be missing silently.
    const trusted = source.scope === "user" ? notAgreed(root, source) : undefined;
    return { ...extension, ...now, trust: "new", ...(trusted && { trusted }) };
  }
  const isSame = id === agreement.id && !agreement.lender?.isCutOff;
  const trust = isSame ? "trusted" : now.content || now.problem ? "changed" : "gone";
  // A copy that was damaged is made again from the same content, as long as that is there.
  if (trust === "trusted" && now.content && faultOf(copyBehind(root, agreement).id)) {
    keepAgain(root, agreement, now.content);
  }
  return { ...extension, ...now, trust, trusted: copyOf(root, source, agreement), agreement };
}

/** Of several work trees, one in which the same file is an ordinary extension takes no critical one away. */
function agreementThatHolds(
  root: string,
  held: readonly HeldAgreement[],
  id: string | undefined,
): HeldAgreement | undefined {
  const same = agreementTo(held, id);
  if (same && (!same.lender || same.critical)) return same;
  return held.find((one) => goesOn(root, one)) ?? same;
}

function attempt(
  { path }: Source,
  read: () => Content | undefined,
): Pick<JudgedExtension, "content" | "problem"> {
  try {
    const content = read();
    return content ? { content } : {};
  } catch (error) {
    if (error instanceof SeamError) return { problem: error };
    return { problem: new SeamError("SEAM_TRUST_UNREADABLE", { path, detail: inWords(error) }) };
  }
}

const KEPT_NONE = "the version of Seam in which you trusted it kept no copy";
const NOT_AGREED = "its file is in this project, and you have not agreed to its content";

function notAgreed(root: string, source: Source): Source {
  const { path } = source;
  const critical = declaredCritical(path);
  return { ...source, copy: { id: "", project: root, from: path, critical, fault: NOT_AGREED } };
}

function copyOf(root: string, source: Source, agreement: HeldAgreement): Source {
  const { name = source.name, scope = source.scope } = agreement;
  const { root: project, id } = copyBehind(root, agreement);
  const from = resolve(project, relative(root, source.path));
  const fault = id === "" ? KEPT_NONE : faultOf(id);
  const path = id === "" ? from : pathInCopy(id, from);
  const critical = agreement.critical ?? declaredCritical(from);
  const copy = { id, project, from, critical, ...(fault !== undefined && { fault }) };
  return { path, name, scope, baseDir: dirname(path), copy };
}

/** The user looked at these extensions and agreed to them as they are. */
export function trust(root: string, extensions: readonly JudgedExtension[]): void {
  agree(
    root,
    extensions.map(({ source, content, problem }) => {
      const { path, name, scope } = source;
      if (problem) throw problem;
      if (!content || scope === "cli") throw new SeamError("SEAM_EXT_NOT_FOUND", { path });
      return {
        kind: "extension",
        path,
        name,
        scope,
        critical: isCriticalIn(content, path),
        content,
      };
    }),
  );
}

function isCriticalIn(content: Content, path: string): boolean {
  return declaredCritical(path, content.get(path)?.toString("utf8"));
}

/**
 * Asked before a file of an extension runs. What came with a project runs only as it was trusted:
 * a file of the copy, unchanged, or of a package that the user installed.
 */
export function admission({ copy, changed }: Source): ((file: string) => void) | undefined {
  if (changed) throw changedError(changed);
  if (!copy) return undefined;
  const manifest = manifestIn(copy);
  return (file) => {
    // Links in the way to the home folder are gone from the names of imported files.
    const path = pathBeforeCopy(file) ?? pathBeforeCopy(file, realpathSync(copiesDir()));
    const isOwn = path !== undefined && manifest[path] === hashIfThere(file);
    if (!isOwn && !isUsersPackage(copy, file)) {
      throw new SeamError("SEAM_EXT_NOT_IN_COPY", { path: path ?? file });
    }
  };
}

function hashIfThere(file: string): string {
  return existsSync(file) ? hashOf(readRegular(file, LARGE_FILE)) : "missing";
}

function manifestIn({ id, from, fault }: TrustedCopy) {
  const error = (detail: string) => new SeamError("SEAM_TRUST_COPY", { path: from, detail });
  if (fault !== undefined) throw error(fault);
  try {
    return readManifest(id);
  } catch (thrown) {
    throw error(String(thrown));
  }
}

function isUsersPackage({ project }: TrustedCopy, file: string): boolean {
  const installed = join(seamHome(), "node_modules");
  return isBelow(file, installed) && !isBelow(file, project);
}
