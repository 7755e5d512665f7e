import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { usageError } from "../../errors/index.ts";
import { THINKING_LEVELS, type ThinkingLevel } from "../../events/index.ts";
import type { InlineExtension } from "../../extensions/index.ts";
import { findPackageResources, lazySessions } from "../../extensions/index.ts";
import { readText } from "../../files/index.ts";
import type { AgentOptions } from "../../host/index.ts";
import { Models } from "../../host/index.ts";
import { everyRepositoryFile, loadSettings, seamHome } from "../../settings/index.ts";
import { loadCacheDir } from "../load-cache.ts";
import { agentSettings } from "./agent-settings.ts";
import { levelOf } from "./check-options.ts";
import { openSession, sessionPlace } from "./open-session.ts";
import type { RunOptions } from "./run-options.ts";

interface Given {
  readonly cwd: string;
  readonly warn: (text: string) => void;
  /** The extensions that were found. */
  readonly found: NonNullable<AgentOptions["extensions"]>;
}

/** What the command line and the settings say about the agent of a run. */
export async function agentOptions(
  options: RunOptions,
  { cwd, warn, found }: Given,
): Promise<AgentOptions> {
  const { settings } = loadSettings(cwd);
  const sessions = sessionPlace(cwd, options, warn);
  const { systemPrompt, appendSystemPrompt = [] } = options;
  return {
    cwd,
    session: openSession(cwd, options, warn),
    extensions: [
      ...(await recording(cwd, warn)),
      ...(await inCrew()),
      ...namedResources(options, cwd),
      ...found,
    ],
    cacheDir: loadCacheDir(),
    otherSessions: lazySessions(async () =>
      (await import("../../daemon/index.ts")).machineSessions(),
    ),
    asksForTrust: options.noExtensions !== true,
    ...agentSettings(settings),
    ...modelChoice(options),
    ...toolChoice(options),
    ...chosenResources(options),
    ...(systemPrompt !== undefined && { systemPrompt: textOrFile(systemPrompt) }),
    ...(appendSystemPrompt.length > 0 && {
      appendSystemPrompt: appendSystemPrompt.map(textOrFile).join("\n\n"),
    }),
    ...(sessions && { sessions }),
  };
}

function toolChoice({ tools, excludeTools, noTools, noBuiltinTools }: RunOptions) {
  return {
    ...(tools !== undefined && { tools: namesIn(tools) }),
    ...(excludeTools !== undefined && { excludeTools: namesIn(excludeTools) }),
    ...(noBuiltinTools && { noTools: "builtin" as const }),
    ...(noTools && { noTools: "all" as const }),
  };
}

function namesIn(list: string): string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Long texts are handed over in files. */
function textOrFile(value: string): string {
  return existsSync(value) ? readFileSync(value, "utf8") : value;
}

/**
 * Started by a crew, the agent is held to what its task may do. Else it gets the tool with which it
 * can lead a crew, where the user has anything to do with crews.
 */
async function inCrew(): Promise<InlineExtension[]> {
  if (process.env.SEAM_CREW_ATTEMPT !== undefined) {
    // Members load no crew: many of them are started.
    const { crewMember } = await import("../../daemon/index.ts");
    const extension = crewMember(process.env);
    return extension ? [extension] : [];
  }
  if (!existsSync(join(seamHome(), "crew"))) return [];
  const { crewLeader } = await import("../../crew/index.ts");
  return [crewLeader()];
}

/** Records the session where the user wants that. */
async function recording(cwd: string, warn: (text: string) => void): Promise<InlineExtension[]> {
  if (!maybeRecorded(cwd)) return [];
  const { recordSession } = await import("../../daemon/index.ts");
  const extension = await recordSession(cwd, warn);
  return extension ? [extension] : [];
}

const isEverywhere = () => existsSync(everyRepositoryFile());

/** The folder that all work trees share: a linked one, or a submodule, has a file that leads there. */
function sharedFolder(git: string): string {
  const [, link] = /^gitdir: (.+)$/m.exec(readText(git) ?? "") ?? [];
  if (link === undefined) return git;
  const own = resolve(dirname(git), link);
  return resolve(own, readText(join(own, "commondir"))?.trim() ?? "");
}

/**
 * Whether a folder may be in a repository that is recorded: a look that costs nothing, so that a
 * run elsewhere does not have to load what records.
 */
function maybeRecorded(cwd: string): boolean {
  for (let dir = cwd; ; dir = dirname(dir)) {
    const git = join(dir, ".git");
    const stats = statSync(git, { throwIfNoEntry: false });
    if (stats) return existsSync(join(sharedFolder(git), "seam/enabled")) || isEverywhere();
    if (dir === dirname(dir)) return false;
  }
}

type LeftOut = Pick<RunOptions, "noSkills" | "noPromptTemplates" | "noContextFiles" | "noThemes">;
type Named = Pick<RunOptions, "skill" | "promptTemplate" | "theme">;

/**
 * Skills, prompts and themes that the command line names, and those of packages unless they are left
 * out: told as an extension would tell of them.
 */
function namedResources(options: Named & LeftOut, cwd: string): InlineExtension[] {
  const { skills, prompts, themes } = findPackageResources(cwd);
  const { skill = [], promptTemplate = [], theme = [] } = options;
  const skillPaths = [...skill, ...(options.noSkills ? [] : skills)];
  const promptPaths = [...promptTemplate, ...(options.noPromptTemplates ? [] : prompts)];
  const themePaths = [...theme, ...(options.noThemes ? [] : themes)];
  if (skillPaths.length + promptPaths.length + themePaths.length === 0) return [];
  const factory: InlineExtension["factory"] = (pi) => {
    pi.on("resources_discover", () => ({ skillPaths, promptPaths, themePaths }));
  };
  return [{ name: "packages and command line", factory }];
}

/** Leaves out what was found in the usual places. What somebody named stays. */
function chosenResources(options: LeftOut): Pick<AgentOptions, "resources"> {
  const { noSkills, noPromptTemplates, noContextFiles } = options;
  if (!noSkills && !noPromptTemplates && !noContextFiles) return {};
  const isNamed = ({ sourceInfo }: { sourceInfo: { scope: string } }) =>
    sourceInfo.scope === "temporary";
  return {
    resources: (found) => ({
      ...found,
      ...(noSkills && { skills: found.skills.filter(isNamed) }),
      ...(noPromptTemplates && { prompts: found.prompts.filter(isNamed) }),
      ...(noContextFiles && { contextFiles: [] }),
    }),
  };
}

const WITH_LEVEL = new RegExp(`^(.+):(${THINKING_LEVELS.join("|")})$`, "s");

/** Which model, how much it thinks, and with whose key. */
function modelChoice(
  options: Pick<RunOptions, "model" | "provider" | "thinking" | "apiKey">,
): Pick<AgentOptions, "model" | "thinkingLevel" | "models"> {
  const { provider, thinking, apiKey } = options;
  const [, short = options.model, level] = WITH_LEVEL.exec(options.model ?? "") ?? [];
  const model = withProvider(short, provider);
  const wanted = thinking ?? level;
  return {
    ...(model !== undefined && { model }),
    ...(wanted !== undefined && { thinkingLevel: levelOf(wanted) satisfies ThinkingLevel }),
    ...(apiKey !== undefined && { models: withKey(apiKey, provider ?? model) }),
  };
}

function withProvider(model: string | undefined, provider: string | undefined): string | undefined {
  if (model === undefined || provider === undefined) return model;
  return model.startsWith(`${provider}/`) ? model : `${provider}/${model}`;
}

function withKey(key: string, model: string | undefined): Models {
  const provider = model?.split("/")[0];
  if (provider === undefined) {
    throw usageError(
      "--api-key does not say whose key it is.",
      "Add --model provider/model, or --provider.",
    );
  }
  const models = new Models();
  models.useKey(provider, key);
  return models;
}
