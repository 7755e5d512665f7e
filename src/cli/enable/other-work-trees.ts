import { realpathSync } from "node:fs";
import { allRecords } from "../../agents/index.ts";
import type { Repo } from "../../git/index.ts";
import { isRepositoryEnabled, workTrees } from "../../record/index.ts";
import { agentType } from "../record/format.ts";
import { shownPath } from "../shown-path.ts";

/** Another work tree of the repository the user is in, and what Seam does there. */
export interface OtherWorkTree {
  readonly path: string;
  readonly recorded: boolean;
  /** Agents that call Seam there: because of files in it, or wherever their user works. */
  readonly agents: readonly string[];
}

/** Those that Seam has anything to do with. */
export async function otherWorkTrees(repo: Repo, store: string): Promise<OtherWorkTree[]> {
  const isOn = isRepositoryEnabled(repo);
  const installs = allRecords(store);
  const everywhere = installs.filter(({ level }) => level === "user").map(({ agent }) => agent);
  const others = (await workTrees(repo)).filter(({ gitDir }) => gitDir !== repo.gitDir);
  return others
    .map(({ path, choice }) => {
      const own = installs.filter(({ level, root }) => level === "project" && isSame(root, path));
      const agents = [...new Set([...own.map(({ agent }) => agent), ...everywhere])].sort();
      return { path, recorded: isOn && choice !== "off", agents, hasOwn: own.length > 0 };
    })
    .filter(({ recorded, hasOwn }) => recorded || hasOwn)
    .map(({ hasOwn: _, ...tree }) => tree);
}

/** "../main (Claude Code, Codex), ../fix (no agent)" */
export function sayWorkTrees(others: readonly OtherWorkTree[]): string {
  const agentsOf = ({ agents }: OtherWorkTree) =>
    agents.length > 0 ? agents.map(agentType).join(", ") : "no agent";
  return others.map((one) => `${shownPath(one.path)} (${agentsOf(one)})`).join(", ");
}

/** A project may be known by a path with links in it. */
function isSame(root: string, workTree: string): boolean {
  try {
    return root === workTree || realpathSync(root) === realpathSync(workTree);
  } catch {
    return false;
  }
}
