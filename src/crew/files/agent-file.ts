import { basename } from "node:path";
import { parse } from "smol-toml";
import { isRecord } from "../../values/index.ts";
import type { AgentChoice, Role } from "../model/workflow.ts";
import { agentChoices } from "./agent-choices.ts";
import { ROUTING_KEYS, readDocument } from "./document.ts";
import { Keys } from "./keys.ts";
import type { FileSource, Format } from "./origin.ts";
import { type WorkflowProblem, WorkflowProblems } from "./problem.ts";

/** A role that a file declares: an agent file of pi-crew, Claude Code, Codex or Seam. */
export interface AgentFile {
  readonly source: FileSource;
  readonly role: Role;
  readonly isDisabled: boolean;
  readonly problems: readonly WorkflowProblem[];
}

const KNOWN = [
  "name",
  "description",
  "agent",
  "agents",
  "model",
  "fallbackModels",
  "access",
  "allowCommands",
  "mayPush",
  "tools",
  "disabled",
];

/** What pi-crew's own runtime needs, and its hints for choosing an agent. */
const OF_PI_CREW = [
  "thinking",
  "extensions",
  "skills",
  "systemPromptMode",
  "inheritProjectContext",
  "inheritSkills",
  "maxTurns",
  "memory",
  "loadMode",
  "defaultTools",
  "contextMode",
  ...ROUTING_KEYS,
];

/** The agent whose models a file of this format names. */
const AGENT_OF: Readonly<Record<Format, AgentChoice["agent"] | undefined>> = {
  "pi-crew": "pi",
  "claude-code": "claude-code",
  codex: "codex",
  seam: undefined,
};

/** Words that say "the model of whoever starts it". */
const NO_MODEL: ReadonlySet<unknown> = new Set([false, "false", "inherit", "default", ""]);

export function readAgentFile(source: FileSource): AgentFile {
  return source.path.endsWith(".toml") ? readToml(source) : readMarkdown(source);
}

function readMarkdown(source: FileSource): AgentFile {
  const problems = new WorkflowProblems(source.path);
  const { fields, body } = readDocument(source.text, problems);
  const keys = new Keys(fields, 1, problems);
  // What Claude Code's files may say changes often, and none of it is a mistake here.
  if (source.format === "seam" || source.format === "pi-crew") {
    const isStrict = source.format === "seam";
    keys.judge({ known: KNOWN, withoutEffect: OF_PI_CREW, isStrict });
  }
  const name = keys.text("name") || basename(source.path).replace(/(\.agent)?\.md$/, "");
  const role: Role = {
    name,
    description: keys.text("description") ?? "",
    access: keys.oneOf("access", ["read", "write"]) ?? accessOf(keys.list("tools")),
    instructions: body.join("\n").trim(),
    agents: choicesOf(keys, source.format),
    allowCommands: keys.list("allowCommands") ?? [],
    mayPush: keys.flag("mayPush") ?? false,
  };
  return { source, role, isDisabled: keys.flag("disabled") ?? false, problems: problems.list };
}

function choicesOf(keys: Keys, format: Format): readonly AgentChoice[] {
  const named = agentChoices(keys);
  const models = [keys.value("model"), ...(keys.list("fallbackModels") ?? [])]
    .filter((model) => model !== undefined && !NO_MODEL.has(model))
    .map(String);
  if (models.length === 0) return named;
  const agent = named[0]?.agent ?? AGENT_OF[format];
  if (agent === undefined) {
    keys.problems.error(
      keys.line("model"),
      '"model" needs to know whose: add a line like "agent: claude-code".',
    );
    return [];
  }
  return [...models.map((model) => ({ agent, model })), ...named.slice(1)];
}

/** Tools that change files, as the agents call them. */
const WRITING = new Set(["edit", "write", "multiedit", "notebookedit", "apply_patch", "*"]);

/**
 * A role without a tool that writes is meant to read only, even if it has a shell: that is for
 * looking and for tests.
 */
function accessOf(tools: readonly string[] | undefined): Role["access"] {
  if (tools === undefined) return "write";
  return tools.some((tool) => WRITING.has(tool.toLowerCase().replace(/\(.*$/, "")))
    ? "write"
    : "read";
}

/** Codex keeps an agent in a TOML file. */
function readToml(source: FileSource): AgentFile {
  const problems = new WorkflowProblems(source.path);
  let values: Record<string, unknown> = {};
  try {
    const parsed: unknown = parse(source.text);
    if (isRecord(parsed)) values = parsed;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    problems.error(tomlLine(error), `It is not valid TOML: ${message.split("\n")[0]}`);
  }
  const text = (key: string) => (typeof values[key] === "string" ? values[key] : "");
  const name = text("name") || basename(source.path, ".toml");
  const model = text("model");
  const role: Role = {
    name,
    description: text("description"),
    access: values.sandbox_mode === "read-only" ? "read" : "write",
    instructions: text("developer_instructions").trim(),
    agents: model === "" ? [] : [{ agent: "codex", model }],
    allowCommands: [],
    mayPush: false,
  };
  return { source, role, isDisabled: false, problems: problems.list };
}

function tomlLine(error: unknown): number | undefined {
  return isRecord(error) && typeof error.line === "number" ? error.line : undefined;
}
