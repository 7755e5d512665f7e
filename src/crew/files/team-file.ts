import { basename } from "node:path";
import { openDocument } from "./document.ts";
import type { FileSource } from "./origin.ts";
import type { WorkflowProblem } from "./problem.ts";

/** One role of a team: which agent file it is, and what it is for here. */
export interface TeamRole {
  readonly name: string;
  readonly agentFile: string;
  readonly description?: string;
  readonly model?: string;
  readonly line: number;
}

/** Who works together, as pi-crew writes it. */
export interface TeamFile {
  readonly source: FileSource;
  readonly name: string;
  readonly description: string;
  readonly defaultWorkflow?: string;
  readonly maxConcurrency?: number;
  readonly roles: readonly TeamRole[];
  readonly problems: readonly WorkflowProblem[];
}

const KNOWN = ["name", "description", "defaultWorkflow", "workflow", "maxConcurrency"];
const WITHOUT_EFFECT = ["workspaceMode", "observability", "source"];

export function readTeamFile(source: FileSource): TeamFile {
  const { keys, problems, body, bodyLine } = openDocument(source, KNOWN, WITHOUT_EFFECT);
  const roles = body.flatMap((line, at) => roleIn(line, bodyLine + at) ?? []);
  if (roles.length === 0) {
    problems.error(bodyLine, 'A team needs roles: lines like "- reviewer: agent=reviewer".');
  }
  const names = new Set<string>();
  for (const { name, line } of roles) {
    if (names.has(name)) problems.error(line, `The role "${name}" is there already.`);
    names.add(name);
  }
  const defaultWorkflow = keys.text("defaultWorkflow") ?? keys.text("workflow");
  const maxConcurrency = keys.count("maxConcurrency");
  return {
    source,
    name: keys.text("name") || basename(source.path, ".team.md"),
    description: keys.text("description") ?? "",
    ...(defaultWorkflow && { defaultWorkflow }),
    ...(maxConcurrency !== undefined && { maxConcurrency }),
    roles,
    problems: problems.list,
  };
}

const SETTING = /\b(agent|model|maxConcurrency|skills)\s*=\s*(\S+(?:\s*,\s*[\w-]+)*)/g;

/** "- reviewer: agent=code-reviewer model=opus looks at everything" */
function roleIn(text: string, line: number): TeamRole | undefined {
  const found = /^\s*[-*]\s+([^:]+?)\s*(?::\s*(.*))?$/.exec(text);
  const name = found?.[1];
  if (name === undefined) return undefined;
  const rest = found?.[2] ?? "";
  const settings = new Map([...rest.matchAll(SETTING)].map(([, key, value]) => [key, value]));
  const description = rest.replace(SETTING, "").replace(/\s+/g, " ").trim();
  const model = settings.get("model");
  return {
    name,
    agentFile: settings.get("agent") ?? name,
    ...(description !== "" && { description }),
    ...(model !== undefined && { model }),
    line,
  };
}
