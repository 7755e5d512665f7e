import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { findExtensions, type LoadOptions, prove } from "../../extensions/index.ts";
import { loadSettings } from "../../settings/index.ts";
import { loadCacheDir } from "../load-cache.ts";

/** The extensions a run loads: those given, and those found and trusted. Each is proved once. */
export function extensionsFor(
  cwd: string,
  paths: readonly string[] = [],
  warn: (text: string) => void,
): Promise<LoadOptions["sources"]> {
  const missing = paths.find((path) => !existsSync(resolve(cwd, path)));
  // Whoever names one wants it there: without its gate the agent could do what it must not.
  if (missing !== undefined) {
    throw new SeamError("SEAM_EXT_NOT_FOUND", { path: resolve(cwd, missing) });
  }
  const { sources, untrusted, problems } = findExtensions({ cwd, paths });
  for (const { message, next } of problems) warn(`${message} ${next}`);
  if (untrusted.length > 0) {
    const names = untrusted.map(({ name }) => name).join(", ");
    warn(`Not loaded, because not trusted: ${names}. Read them, then run: seam trust`);
  }
  const { loadDeadlineMs } = loadSettings(cwd).settings;
  return prove(sources, { cwd, cacheDir: loadCacheDir(), loadDeadlineMs });
}
