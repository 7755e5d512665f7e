import { join } from "node:path";
import { AGENT_NAMES, type AgentName, agentNamed } from "../../agents/index.ts";
import { atRepo, git, headOf, openRepo } from "../../git/index.ts";
import { isRecord } from "../../values/index.ts";
import type { FileSource } from "./origin.ts";

/** A file of the project from which an agent runs programs by itself, as soon as it is started there. */
export interface ProjectProgram {
  readonly source: Pick<FileSource, "path" | "text">;
  readonly asks: readonly string[];
}

/**
 * What of a commit runs when these agents begin to work in a worktree of it. In a terminal an agent
 * asks whether its folder is trusted; without one it does not, so Seam has to.
 */
export async function projectPrograms(
  repository: string,
  agents: Iterable<AgentName>,
): Promise<ProjectProgram[]> {
  const names = [...agents];
  const places = names.flatMap((name) => agentNamed(name)?.headless?.projectPrograms ?? []);
  if (places.length === 0) return [];
  const repo = await openRepo(repository);
  if (!repo || !(await headOf(repo)).commit) return [];
  const look = (args: readonly string[]) =>
    git([...atRepo(repo), ...args], { cwd: repo.commonDir });
  const args = ["ls-tree", "-r", "-z", "--full-tree", "--name-only", "HEAD", "--"];
  const paths = (await look([...args, ...new Set(places)])).toString().split("\0").filter(Boolean);
  const found: ProjectProgram[] = [];
  for (const path of paths) {
    const text = (await look(["cat-file", "blob", `HEAD:${path}`])).toString();
    const asks = asksOf(path, text, names);
    if (asks.length > 0) found.push({ source: { path: join(repository, path), text }, asks });
  }
  return found;
}

/** Everything of that kind that any agent could run. */
export function anyProjectPrograms(repository: string): Promise<ProjectProgram[]> {
  return projectPrograms(repository, AGENT_NAMES);
}

function asksOf(path: string, text: string, agents: readonly AgentName[]): string[] {
  if (!namesPrograms(path, text)) return [];
  return agents.flatMap((name) => {
    const agent = agentNamed(name);
    const places = agent?.headless?.projectPrograms ?? [];
    const isIts = places.some((place) => path === place || path.startsWith(`${place}/`));
    return isIts ? [`let ${agent?.type ?? name} run what it names, when it works for a crew`] : [];
  });
}

/** Settings of agents that hold commands, or names of code to load. */
const RUNNING = [
  "hooks",
  "mcp",
  "mcpServers",
  "plugin",
  "plugins",
  "packages",
  "extensions",
  "apiKeyHelper",
  "awsAuthRefresh",
  "awsCredentialExport",
  "otelHeadersHelper",
  "statusLine",
  "formatter",
  "lsp",
  "env",
];

/** Settings that start nothing are nobody's concern; what is not understood may start anything. */
function namesPrograms(path: string, text: string): boolean {
  if (/\.(md|txt)$/.test(path)) return false;
  if (path.endsWith(".toml")) return /mcp_servers|hooks|notify|command/.test(text);
  if (!path.endsWith(".json") || /hooks/.test(path)) return true;
  try {
    const value: unknown = JSON.parse(text);
    return !isRecord(value) || RUNNING.some((key) => value[key] !== undefined);
  } catch {
    return true;
  }
}
