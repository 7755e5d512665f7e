import type { PromptSkill } from "../../extensions/index.ts";
import { truncateLine } from "../../tools/index.ts";
import type { ContextFile } from "./context-files.ts";
import { SKILL_TOOL } from "./skills/skill-tool.ts";

/** Field names as in Pi: extensions get to see these in `before_agent_start`. */
export interface BuildSystemPromptOptions {
  cwd: string;
  /** The day, not the time: a prompt that changes by the minute cannot be cached. */
  date?: string;
  /** Takes the place of who the agent is, its tools and its guidelines. */
  customPrompt?: string;
  appendSystemPrompt?: string;
  selectedTools?: readonly string[];
  /** Tools that the model is not told of. */
  hiddenTools?: readonly string[];
  /** What each tool is for, in one line. A tool without one is not listed. */
  toolSnippets?: Readonly<Record<string, string>>;
  toolGuidelines?: Readonly<Record<string, readonly string[]>>;
  promptGuidelines?: readonly string[];
  /** More parts, each in a tag of its name. */
  sections?: Readonly<Record<string, string>>;
  contextFiles?: readonly ContextFile[];
  skills?: readonly PromptSkill[];
}

const WHO = `You are Seam, a coding agent. You work on the user's project with the tools you are given: you look things up instead of guessing, make the change that was asked for, and check that it works.`;

const GUIDELINES = [
  "Do what was asked, all of it and not more. If the request can be read in two ways that lead to different work, ask.",
  "Follow the conventions of the code around you; look at them before you write.",
  "After a change, run what the project has to check it: tests, type check, linter. Say so if you could not.",
  "Never claim that something works unless you saw it work.",
  "Leave alone what is not yours: files you were not asked to touch, changes that were there before, git history.",
  "Be brief. Name files by their path.",
];

/** Guidelines that only make sense with certain tools. */
const WITH_TOOLS: readonly [tools: readonly string[], guideline: string][] = [
  [["read", "edit"], "Read a file before you edit it."],
  [["edit", "write"], "Use edit for changes to a file and write only for new files."],
  [["bash", "grep"], "Search with grep rather than with shell commands."],
];

const LONGEST_DESCRIPTION = 1_024;

export function buildSystemPrompt(options: BuildSystemPromptOptions): string {
  const { customPrompt, appendSystemPrompt, cwd } = options;
  const { date = new Date().toISOString().slice(0, 10) } = options;
  const parts = [
    customPrompt?.trim() || builtIn(options),
    appendSystemPrompt?.trim(),
    contextPart(options.contextFiles ?? []),
    skillsPart(options.skills ?? [], toolsOf(options)),
    ...Object.entries(options.sections ?? {}).map(([tag, text]) => section(tag, text)),
    // In Pi's words: extensions look for them to say that the work is done elsewhere.
    `Current date: ${date}\nCurrent working directory: ${cwd}`,
  ];
  return parts.filter((part) => part).join("\n\n");
}

function toolsOf(options: BuildSystemPromptOptions) {
  const {
    toolSnippets = {},
    selectedTools = Object.keys(toolSnippets),
    hiddenTools = [],
  } = options;
  return selectedTools.filter((name) => !hiddenTools.includes(name));
}

function section(tag: string, text: string): string {
  return text.trim() === "" ? "" : `<${tag}>\n${text.trim()}\n</${tag}>`;
}

function builtIn(options: BuildSystemPromptOptions): string {
  const { toolSnippets = {}, toolGuidelines = {}, promptGuidelines = [] } = options;
  const tools = toolsOf(options);
  const listed = tools.flatMap((name) => {
    const snippet = Object.hasOwn(toolSnippets, name) ? toolSnippets[name]?.trim() : undefined;
    return snippet ? [`${name}: ${snippet}`] : [];
  });
  const fitting = WITH_TOOLS.filter(([needed]) => needed.every((name) => tools.includes(name)));
  const guidelines = [
    ...GUIDELINES,
    ...fitting.map(([, text]) => text),
    ...tools.flatMap((name) => (Object.hasOwn(toolGuidelines, name) ? toolGuidelines[name] : [])),
    ...promptGuidelines,
  ].filter((text) => text !== undefined);
  return [
    WHO,
    listed.length > 0 ? `# Tools\n\n${bullets(listed)}` : "",
    `# Guidelines\n\n${bullets(guidelines)}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function contextPart(files: readonly ContextFile[]): string {
  if (files.length === 0) return "";
  const texts = files.map(
    ({ path, content }) => `<instructions file="${path}">\n${content}\n</instructions>`,
  );
  return [
    "# Instructions of the user and the project\n\nWhere they contradict each other, the later ones count.",
    ...texts,
  ].join("\n\n");
}

/** Only the names and what they are for: the model reads a skill when it needs it. */
function skillsPart(
  skills: NonNullable<BuildSystemPromptOptions["skills"]>,
  tools: readonly string[],
): string {
  const usable = skills.filter((skill) => !skill.disableModelInvocation);
  const how = waysToRead(tools);
  if (usable.length === 0 || !how) return "";
  const lines = usable.map(({ name, description, filePath }) => {
    const about = truncateLine(oneLine(description), LONGEST_DESCRIPTION).text;
    return tools.includes(SKILL_TOOL) ? `${name}: ${about}` : `${name}: ${about} (${filePath})`;
  });
  return `# Skills\n\nInstructions for certain kinds of work. When a task fits one of them, ${how} before you start.\n\n${bullets(lines)}`;
}

function waysToRead(tools: readonly string[]): string | undefined {
  if (tools.includes(SKILL_TOOL)) return `call the ${SKILL_TOOL} tool with its name`;
  return tools.includes("read") ? "read its file" : undefined;
}

function bullets(lines: readonly string[]): string {
  return [...new Set(lines.map(oneLine))].map((line) => `- ${line}`).join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
