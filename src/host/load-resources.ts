import type { Core } from "./core.ts";
import {
  type ContextFile,
  findContextFiles,
  findPrompts,
  findRules,
  findSkills,
  type PromptTemplate,
  type Skill,
  type WatchedRule,
} from "./resources/index.ts";

/** What the project and the user have put beside the code for the agent. */
export interface Resources {
  readonly skills: readonly Skill[];
  readonly prompts: readonly PromptTemplate[];
  readonly rules: readonly WatchedRule[];
  readonly contextFiles: readonly ContextFile[];
  /** Files and folders of themes that extensions named. */
  readonly themePaths: readonly string[];
}

export const NO_RESOURCES: Resources = {
  skills: [],
  prompts: [],
  rules: [],
  contextFiles: [],
  themePaths: [],
};

/** Looks for skills, prompts, rules and context files, also where extensions say. */
export async function loadResources(
  core: Pick<Core, "cwd" | "emitter" | "log" | "adjustResources">,
  reason: "startup" | "reload",
): Promise<Resources> {
  const { cwd, emitter, log, adjustResources } = core;
  const { results } = await emitter.emit({ type: "resources_discover", cwd, reason });
  const skills = findSkills({ cwd, extraPaths: results.flatMap((r) => r.result.skillPaths ?? []) });
  const prompts = findPrompts({
    cwd,
    extraPaths: results.flatMap((r) => r.result.promptPaths ?? []),
  });
  const rules = findRules({ cwd });
  const problems = [...skills.problems, ...prompts.problems, ...rules.problems];
  const contextFiles = findContextFiles({ cwd }, (problem) => problems.push(problem));
  for (const { path, message } of problems) log("warn", `${path}: ${message}`);
  return adjustResources({
    skills: skills.skills,
    prompts: prompts.prompts,
    rules: rules.rules,
    contextFiles,
    themePaths: results.flatMap((r) => r.result.themePaths ?? []),
  });
}
