import { basename, dirname, extname } from "node:path";

/** Where an extension was found. In this order they run. */
export const SCOPES = ["cli", "project", "user", "package"] as const;
export type Scope = (typeof SCOPES)[number];

/** An extension that was found, not yet loaded. */
export interface Source {
  readonly path: string;
  readonly name: string;
  readonly scope: Scope;
  /** The folder its relative paths refer to. */
  readonly baseDir: string;
}

/** `permission-gate.ts` and `permission-gate/index.ts` are both "permission-gate". */
export function sourceOf(path: string, scope: Scope, packageName?: string): Source {
  const baseDir = dirname(path);
  const file = basename(path, extname(path));
  const name = packageName ?? (file === "index" ? basename(baseDir) : file);
  return { path, name, scope, baseDir };
}
