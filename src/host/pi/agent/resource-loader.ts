import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type ExtensionAPI,
  entriesAt,
  findExtensions,
  type InlineExtension,
  isCritical,
  type Source,
  sourceOf,
} from "../../../extensions/index.ts";
import { noteLentGates } from "../../../protection/index.ts";
import { PROJECT_DIR, projectRoot, seamHome } from "../../../settings/index.ts";
import { defaultTheme, type Theme } from "../../../terminal/index.ts";
import type { Resources } from "../../load-resources.ts";
import {
  type ContextFile,
  findContextFiles,
  findPrompts,
  findSkills,
  type PromptTemplate,
  type Skill,
} from "../../resources/index.ts";
import {
  createExtensionRuntime,
  type LoadedExtension,
  listedExtension,
} from "./loaded-extension.ts";

type Factory = (pi: ExtensionAPI) => void | Promise<void>;
type Diagnostic = { type: "warning"; message: string; path: string };
type Found<Key extends string, T> = Record<Key, T[]> & { diagnostics: Diagnostic[] };
type Skills = Found<"skills", Skill>;
type Prompts = Found<"prompts", PromptTemplate>;
type Themes = Found<"themes", Theme>;
type AgentsFiles = { agentsFiles: ContextFile[] };
interface Extensions {
  extensions: LoadedExtension[];
  errors: { path: string; error: string }[];
  runtime: ReturnType<typeof createExtensionRuntime>;
}
type Override<T> = ((base: T) => T) | undefined;

export interface ResourceLoaderOptions {
  readonly cwd: string;
  readonly agentDir?: string;
  readonly additionalExtensionPaths?: readonly string[];
  readonly additionalSkillPaths?: readonly string[];
  readonly additionalPromptTemplatePaths?: readonly string[];
  readonly additionalThemePaths?: readonly string[];
  readonly extensionFactories?: readonly (Factory | { name: string; factory: Factory })[];
  readonly noExtensions?: boolean;
  readonly noSkills?: boolean;
  readonly noPromptTemplates?: boolean;
  readonly noThemes?: boolean;
  readonly noContextFiles?: boolean;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string | readonly string[];
  readonly extensionsOverride?: Override<Extensions>;
  readonly skillsOverride?: Override<Skills>;
  readonly promptsOverride?: Override<Prompts>;
  readonly themesOverride?: Override<Themes>;
  readonly agentsFilesOverride?: Override<AgentsFiles>;
  readonly systemPromptOverride?: Override<string | undefined>;
  readonly appendSystemPromptOverride?: Override<string[]>;
}

type Origin = Source | InlineExtension;

/**
 * What a session is made of beside its model: extensions, skills, prompts, context files, the
 * system prompt. Extensions are found here and run when a session is made of them. Those that the
 * user marked as critical are never left out.
 */
export class DefaultResourceLoader {
  readonly #options: ResourceLoaderOptions;
  readonly #more = { skillPaths: [] as string[], promptPaths: [] as string[] };
  #origins: Origin[] = [];
  #extensions: Extensions = { extensions: [], errors: [], runtime: createExtensionRuntime() };
  #skills: Skills = { skills: [], diagnostics: [] };
  #prompts: Prompts = { prompts: [], diagnostics: [] };
  #themes: Themes = { themes: [], diagnostics: [] };
  #agentsFiles: AgentsFiles = { agentsFiles: [] };
  #systemPrompt: string | undefined;
  #append: string[] = [];

  constructor(options: ResourceLoaderOptions) {
    this.#options = options;
  }

  getExtensions = () => this.#extensions;
  getSkills = () => this.#skills;
  getPrompts = () => this.#prompts;
  getThemes = () => this.#themes;
  getAgentsFiles = () => this.#agentsFiles;
  getSystemPrompt = () => this.#systemPrompt;
  getSystemPromptSource = () => undefined;
  getAppendSystemPrompt = () => this.#append;
  getAppendSystemPromptSources = () => [] as { path: string }[];

  extendResources(paths: {
    skillPaths?: { path: string }[];
    promptPaths?: { path: string }[];
  }): void {
    this.#more.skillPaths.push(...(paths.skillPaths ?? []).map(({ path }) => path));
    this.#more.promptPaths.push(...(paths.promptPaths ?? []).map(({ path }) => path));
    this.#findMarkdown();
  }

  async reload(): Promise<void> {
    const { cwd, themesOverride, systemPrompt, appendSystemPrompt = [] } = this.#options;
    this.#findExtensions();
    this.#findMarkdown();
    const themes: Themes = {
      themes: this.#options.noThemes ? [] : [defaultTheme()],
      diagnostics: [],
    };
    this.#themes = themesOverride?.(themes) ?? themes;
    const prompt = systemPrompt === undefined ? fileIn(cwd, "SYSTEM.md") : textOrFile(systemPrompt);
    this.#systemPrompt = this.#options.systemPromptOverride?.(prompt) ?? prompt;
    const given =
      typeof appendSystemPrompt === "string" ? [appendSystemPrompt] : appendSystemPrompt;
    const own = given.length > 0 ? given.map(textOrFile) : [fileIn(cwd, "APPEND_SYSTEM.md") ?? ""];
    const append = own.filter((text) => text !== "");
    this.#append = this.#options.appendSystemPromptOverride?.(append) ?? append;
  }

  /** The extensions a session is made with. */
  get origins(): readonly Origin[] {
    return this.#origins;
  }

  /** What of that Seam's own search for resources is to be replaced by. */
  resources = (found: Resources): Resources => ({
    ...found,
    skills: this.#skills.skills,
    prompts: this.#prompts.prompts,
    contextFiles: this.#agentsFiles.agentsFiles,
  });

  #findExtensions(): void {
    const { cwd, noExtensions = false, additionalExtensionPaths = [] } = this.#options;
    const { extensionFactories = [], extensionsOverride } = this.#options;
    noteLentGates(seamHome(), cwd);
    const usual = findExtensions({ cwd }).sources.filter(
      (source) => !noExtensions || isCritical(source),
    );
    const added = additionalExtensionPaths
      .flatMap((path) => entriesAt(resolve(cwd, path)))
      .map((path) => sourceOf(path, "cli"));
    const inline = extensionFactories.map((given, index): InlineExtension => {
      const name = `inline:${index + 1}`;
      return typeof given === "function" ? { name, factory: given } : given;
    });
    const all: Origin[] = [...added, ...usual, ...inline];
    const byPath = new Map(all.map((origin) => [listedExtension(origin).path, origin]));
    const base: Extensions = {
      extensions: all.map(listedExtension),
      errors: [],
      runtime: createExtensionRuntime(),
    };
    this.#extensions = extensionsOverride?.(base) ?? base;
    const wanted = new Set(this.#extensions.extensions.map(({ path }) => path));
    this.#origins = [...byPath].flatMap(([path, origin]) =>
      wanted.has(path) || ("path" in origin && isCritical(origin)) ? [origin] : [],
    );
  }

  #findMarkdown(): void {
    const options = this.#options;
    const { cwd } = options;
    const skillPaths = [...(options.additionalSkillPaths ?? []), ...this.#more.skillPaths];
    const skills = options.noSkills
      ? findSkillsOnly(cwd, skillPaths)
      : skillsIn(findSkills({ cwd, extraPaths: skillPaths }));
    this.#skills = options.skillsOverride?.(skills) ?? skills;
    const promptPaths = [
      ...(options.additionalPromptTemplatePaths ?? []),
      ...this.#more.promptPaths,
    ];
    const found = findPrompts({ cwd, extraPaths: promptPaths });
    const prompts: Prompts = {
      prompts: options.noPromptTemplates
        ? found.prompts.filter(({ sourceInfo }) => sourceInfo.scope === "temporary")
        : found.prompts,
      diagnostics: found.problems.map(asDiagnostic),
    };
    this.#prompts = options.promptsOverride?.(prompts) ?? prompts;
    const files = { agentsFiles: options.noContextFiles ? [] : findContextFiles({ cwd }) };
    this.#agentsFiles = options.agentsFilesOverride?.(files) ?? files;
  }
}

function skillsIn({ skills, problems }: ReturnType<typeof findSkills>): Skills {
  return { skills, diagnostics: problems.map(asDiagnostic) };
}

/** Looks in none of the usual places, only in those that were named. */
function findSkillsOnly(cwd: string, paths: readonly string[]): Skills {
  const found = skillsIn(findSkills({ cwd, extraPaths: paths }));
  const named = found.skills.filter(({ sourceInfo }) => sourceInfo.scope === "temporary");
  return { ...found, skills: named };
}

function asDiagnostic({ path, message }: { path: string; message: string }): Diagnostic {
  return { type: "warning", message, path };
}

/** A prompt may be given as text, or as the path of a file with it. */
function textOrFile(given: string): string {
  if (given.includes("\n") || given.length > 4_096) return given;
  return textOf(given) ?? given;
}

/** A file of the project, or else of the user. */
function fileIn(cwd: string, name: string): string | undefined {
  return textOf(join(projectRoot(cwd), PROJECT_DIR, name)) ?? textOf(join(seamHome(), name));
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** What projects and users tell every agent. */
export function loadProjectContextFiles({ cwd }: { cwd: string }): ContextFile[] {
  return findContextFiles({ cwd });
}
