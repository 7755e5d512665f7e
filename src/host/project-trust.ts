import { explain } from "../errors/index.ts";
import {
  findExtensions,
  type JudgedExtension,
  judgeProject,
  type Source,
  trust,
} from "../extensions/index.ts";
import { projectRoot } from "../settings/index.ts";
import type { Core } from "./core.ts";

/**
 * Lets extensions of the user's decide about those of the project that nobody agreed to. Returns the
 * ones that are to run: for good as `seam trust` keeps them, or as they are now for this session.
 */
export async function decideTrust(core: Core): Promise<readonly Source[]> {
  const { cwd, emitter, log } = core;
  if (!core.asksForTrust || !emitter.isHandled("project_trust")) return [];
  const { untrusted } = findExtensions({ cwd });
  if (untrusted.length === 0) return [];
  const { result, by } = await emitter.emit({ type: "project_trust", cwd });
  if (result?.trusted !== "yes") return [];
  const names = untrusted.map(({ name }) => name).join(", ");
  log("info", `${by} trusts the extensions of this project: ${names}.`);
  if (!result.remember) return untrusted;
  try {
    const root = projectRoot(cwd);
    const isNew = ({ source }: JudgedExtension) =>
      untrusted.some(({ path }) => path === source.path);
    trust(root, judgeProject(root).filter(isNew));
    const before = new Set(core.session.set.extensions.map(({ path }) => path));
    // The copies that are kept, not the files of the project.
    const { sources } = findExtensions({ cwd });
    return sources.filter(({ path, scope }) => scope === "project" && !before.has(path));
  } catch (thrown) {
    log("warn", `What was trusted could not be kept: ${explain(thrown)}`);
    return [];
  }
}

/** Whether the user agreed to all that the project wants to run, as sessions of other agents tell it. */
export function isProjectTrusted({ cwd, session, log }: Core): boolean {
  if (session.trusted && session.trusted.length > 0) return true;
  try {
    const judged = judgeProject(projectRoot(cwd));
    return judged.every(({ trust: state }) => state === "trusted");
  } catch (thrown) {
    log("warn", `Whether the project is trusted cannot be said: ${explain(thrown)}`);
    return false;
  }
}
