import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { SeamError } from "../../errors/index.ts";
import {
  describeProblem,
  type ExtensionSet,
  findExtensions,
  type LoadOptions,
  prove,
  type Source,
} from "../../extensions/index.ts";
import { noteLentGates } from "../../protection/index.ts";
import { loadSettings, seamHome } from "../../settings/index.ts";
import { loadCacheDir } from "../load-cache.ts";

/** What a command line says about extensions. */
interface Wanted {
  readonly extension?: readonly string[] | undefined;
  /** None but those. */
  readonly noExtensions?: true;
}

/** The extensions a run loads: those given, and those found and trusted. Each is proved once. */
export async function extensionsFor(
  cwd: string,
  { extension: paths = [], noExtensions }: Wanted,
  warn: (text: string) => void,
  leaveOut: (sources: readonly Source[]) => Promise<readonly Source[]> = async (all) => all,
): Promise<LoadOptions["sources"]> {
  const missing = paths.find((path) => !existsSync(resolve(cwd, path)));
  // Whoever names one wants it there: without its gate the agent could do what it must not.
  if (missing !== undefined) {
    throw new SeamError("SEAM_EXT_NOT_FOUND", { path: resolve(cwd, missing) });
  }
  const { loadDeadlineMs } = loadSettings(cwd).settings;
  const proving = { cwd, cacheDir: loadCacheDir(), loadDeadlineMs };
  noteLentGates(seamHome(), cwd);
  const { sources, untrusted, problems } = findExtensions({ cwd, paths });
  if (noExtensions) {
    return prove(await leaveOut(sources.filter(({ scope }) => scope === "cli")), proving);
  }
  for (const { message, next } of problems) warn(`${message} ${next}`);
  if (untrusted.length > 0) {
    const names = untrusted.map(({ name }) => name).join(", ");
    warn(`Not loaded, because not trusted: ${names}. Read them, then run: seam trust`);
  }
  return prove(await leaveOut(sources), proving);
}

/** Whoever names an extension wants it to run: one that cannot be loaded is no warning. */
export function refuseWithoutNamed(
  { failures }: Pick<ExtensionSet, "failures">,
  cwd: string,
  paths: readonly string[] = [],
): void {
  const named = findExtensions({ cwd, paths }).sources.filter(({ scope }) => scope === "cli");
  const isNamed = (path: unknown) => named.some((one) => one.path === path);
  // One that never came to an end is known by its error: another stands in for it.
  const failed = failures.find(
    ({ path, problem }) => isNamed(path) || isNamed(problem.error.details.path),
  );
  if (failed) throw new SeamError("SEAM_EXT_NAMED", { detail: describeProblem(failed.problem) });
}
