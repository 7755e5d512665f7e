import { basename, dirname, extname } from "node:path";

/** Where an extension was found. In this order they run. */
export const SCOPES = ["cli", "project", "user", "package"] as const;
/** Where an extension was found. */
export type Scope = (typeof SCOPES)[number];

/** An extension that was found, not yet loaded. */
export interface Source {
  readonly path: string;
  readonly name: string;
  readonly scope: Scope;
  /** The folder its relative paths refer to. */
  readonly baseDir: string;
  /** It came with a project: `path` is in the copy that was made when the user trusted it. */
  readonly copy?: TrustedCopy;
  /** It is of a package of the user's that is not as it was when it was added: it does not run. */
  readonly changed?: ChangedPackage;
}

/** Why a package of the user's is not used as it is now, and whether it must not be missing. */
export interface ChangedPackage {
  /** As people call it. */
  readonly name: string;
  /** As the settings name it. */
  readonly entry: string;
  readonly detail: string;
  readonly critical: boolean;
}

export interface TrustedCopy {
  readonly id: string;
  readonly project: string;
  /** Where it was in the project. */
  readonly from: string;
  /** It said of itself that it must not be missing. */
  readonly critical: boolean;
  /** Why it cannot be loaded. */
  readonly fault?: string;
}

/**
 * `permission-gate.ts` and `permission-gate/index.ts` are both "permission-gate".
 *
 * @example
 * sourceOf("/home/me/.seam/extensions/permission-gate.ts", "user").name; // "permission-gate"
 */
export function sourceOf(path: string, scope: Scope, packageName?: string): Source {
  const baseDir = dirname(path);
  const file = basename(path, extname(path));
  const name = packageName ?? (file === "index" ? basename(baseDir) : file);
  return { path, name, scope, baseDir };
}

/** The path people know an extension by: of a copy, where it came from. */
export function knownPath({ path, copy }: Source): string {
  return copy?.from ?? path;
}
