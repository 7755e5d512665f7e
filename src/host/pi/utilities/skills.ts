import type { SourceInfo } from "../../../extensions/index.ts";
import { findSkills, type Skill } from "../../resources/index.ts";

type Loaded = {
  skills: Skill[];
  diagnostics: { type: "warning"; message: string; path: string }[];
};

function loaded({ skills, problems }: ReturnType<typeof findSkills>): Loaded {
  const diagnostics = problems.map((problem) => ({ type: "warning" as const, ...problem }));
  return { skills, diagnostics };
}

/** Skills of the usual places, if they are wanted, and of others. */
export function loadSkills(options: {
  cwd?: string;
  skillPaths?: string[];
  includeDefaults?: boolean;
}): Loaded {
  const { cwd = process.cwd(), skillPaths = [], includeDefaults = true } = options;
  const all = loaded(findSkills({ cwd, extraPaths: skillPaths }));
  if (includeDefaults) return all;
  return {
    ...all,
    skills: all.skills.filter(({ sourceInfo }) => sourceInfo.scope === "temporary"),
  };
}

export function loadSkillsFromDir({ dir }: { dir: string; source?: string }): Loaded {
  return loadSkills({ cwd: dir, skillPaths: [dir], includeDefaults: false });
}

/** What the system prompt says about skills, to be put at its end. */
export function formatSkillsForPrompt(skills: readonly Skill[]): string {
  const text = formatSkillsForSystemPrompt(skills);
  return text === "" ? "" : `\n\n${text}`;
}

/** The same as a paragraph of its own. */
export function formatSkillsForSystemPrompt(skills: readonly Skill[]): string {
  const known = skills.filter(({ disableModelInvocation }) => !disableModelInvocation);
  if (known.length === 0) return "";
  const entries = known.map(
    ({ name, description, filePath }) =>
      `  <skill>\n    <name>${escaped(name)}</name>\n    <description>${escaped(description)}</description>\n` +
      `    <location>${escaped(filePath)}</location>\n  </skill>`,
  );
  return (
    "The following skills provide specialized instructions for specific tasks.\n" +
    "Read a skill's file when the task matches its description. Paths in it are relative to its folder.\n\n" +
    `<available_skills>\n${entries.join("\n")}\n</available_skills>`
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

const BLOCK =
  /^<skill name="([^"]+)" location="([^"]+)">\n([\s\S]*?)\n<\/skill>(?:\n\n([\s\S]+))?$/;

/** Takes a message apart that a `/skill:` command was expanded to. */
export function parseSkillBlock(text: string) {
  const [, name, location, content, said] = BLOCK.exec(text) ?? [];
  if (name === undefined || location === undefined || content === undefined) return null;
  return { name, location, content, userMessage: said?.trim() || undefined };
}

/** Where something comes from that has no file. */
export function createSyntheticSourceInfo(
  path: string,
  options: {
    source: string;
    scope?: SourceInfo["scope"];
    origin?: SourceInfo["origin"];
    baseDir?: string;
  },
): SourceInfo {
  const { source, scope = "temporary", origin = "top-level", baseDir } = options;
  return { path, source, scope, origin, ...(baseDir !== undefined && { baseDir }) };
}
