import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { parseFrontmatter } from "agentseam";

/** A Markdown file: what the agent is in its head, how it works in its body. */
export interface AgentFile {
  readonly name: string;
  readonly description: string;
  /** Built-in tools; all of them without it. */
  readonly tools: string[] | undefined;
  readonly model: string | undefined;
  readonly prompt: string;
}

/** The user's agents and, in a project one trusts, its own; these come first where names clash. */
export function findAgents(cwd: string, isTrusted: boolean): AgentFile[] {
  const home = process.env.SEAM_HOME || join(homedir(), ".seam");
  const project = isTrusted ? projectFolder(cwd) : undefined;
  const found = [...(project ? agentsIn(project) : []), ...agentsIn(join(home, "agents"))];
  return found.filter((agent, at) => found.findIndex(({ name }) => name === agent.name) === at);
}

/** The nearest one upwards. */
function projectFolder(cwd: string): string | undefined {
  for (let dir = cwd; ; dir = dirname(dir)) {
    const folder = join(dir, ".seam", "agents");
    if (existsSync(folder)) return folder;
    if (dir === dirname(dir)) return undefined;
  }
}

function agentsIn(folder: string): AgentFile[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(".md"));
  return files.sort().flatMap((file) => agentOf(readFileSync(join(folder, file), "utf8")) ?? []);
}

/** Undefined for other Markdown: an agent has a name and says what it is for. */
function agentOf(text: string): AgentFile | undefined {
  const { frontmatter, body } = parseFrontmatter(text);
  const { name, description, tools, model } = frontmatter;
  if (typeof name !== "string" || typeof description !== "string") return undefined;
  const list = typeof tools === "string" ? tools.split(",") : tools;
  return {
    name,
    description,
    tools: Array.isArray(list) ? list.map((tool) => String(tool).trim()) : undefined,
    model: typeof model === "string" ? model : undefined,
    prompt: body.trim(),
  };
}
