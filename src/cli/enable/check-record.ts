import type { Finding } from "../../agents/index.ts";
import { messageOf } from "../../errors/index.ts";
import { openRepo, type Repo } from "../../git/index.ts";
import {
  findDamage,
  type HookHealth,
  hasGitHooks,
  installGitHooks,
  isEnabled,
  isRepositoryEnabled,
  recordStatus,
  redactionProblems,
  removeGitHooks,
  repair,
} from "../../record/index.ts";
import { otherWorkTrees, sayWorkTrees } from "./other-work-trees.ts";

const SAID: Readonly<Record<Exclude<HookHealth, "ok">, string>> = {
  missing: "is gone",
  replaced: "was replaced by another program",
  outdated: "is of another version of Seam",
};

export interface RecordCheck {
  readonly findings: readonly Finding[];
  readonly fix?: () => Promise<void>;
}

/**
 * Whether commits here are linked to sessions; undefined where nothing is recorded. `agents`: how many
 * of them call Seam here.
 */
export async function checkRecord(store: string, agents: number): Promise<RecordCheck | undefined> {
  const repo = await openRepo(process.cwd()).catch(() => undefined);
  if (!repo) return undefined;
  if (!isRepositoryEnabled(repo)) return leftHooks(repo);
  const others = (await otherWorkTrees(repo, store)).filter((one) => one.agents.length > 0);
  if (!isEnabled(repo)) {
    const text = "This work tree is not recorded; other work trees of the repository are.";
    const next = "To record it too: seam enable";
    return { findings: [{ level: "info", code: "work-tree-left-out", text, next }] };
  }
  const findings: Finding[] = [];
  if (agents === 0 && others.length > 0) {
    findings.push({
      level: "warning",
      code: "work-tree-not-enabled",
      text: `No agent calls Seam in this work tree, so nothing is recorded here. They do in ${sayWorkTrees(others)}.`,
      next: "Run: seam enable",
    });
  }
  try {
    const { hooks, brokenRewind, refused } = await recordStatus(repo);
    if (refused !== undefined) {
      return { findings: [{ level: "error", code: "record-newer", text: refused }] };
    }
    for (const [name, health] of Object.entries(hooks)) {
      if (health === "ok") continue;
      findings.push({
        level: "error",
        code: "git-hook",
        text: `The git hook ${name} ${SAID[health]}: commits are not linked to sessions.`,
        next: "Run: seam doctor --fix",
        fix: [],
      });
    }
    if (brokenRewind) {
      findings.push({
        level: "warning",
        code: "rewind-broken-off",
        text: "A rewind was broken off.",
        next: "Run: seam rewind --undo",
      });
    }
    for (const { code, message, next } of redactionProblems()) {
      findings.push({ level: "warning", code, text: message, next });
    }
  } catch (error) {
    findings.push({ level: "error", code: "record-unreadable", text: messageOf(error) });
  }
  const damage = await damageFindings(repo);
  findings.push(...damage);
  if (!findings.some((finding) => finding.fix)) return { findings };
  const fix = async () => {
    if (damage.length > 0) await repair(repo);
    await installGitHooks(repo);
  };
  return { findings, fix };
}

/** Git hooks where nothing is recorded: Seam's folder was deleted, or they could not be removed. */
async function leftHooks(repo: Repo): Promise<RecordCheck | undefined> {
  if (!(await hasGitHooks(repo).catch(() => false))) return undefined;
  const finding: Finding = {
    level: "warning",
    code: "git-hooks-left",
    text: "Seam's git hooks are in this repository, but it is not recorded.",
    next: "To take them out: seam doctor --fix. To record it again: seam enable",
    fix: [],
  };
  return { findings: [finding], fix: () => removeGitHooks(repo) };
}

/** What Seam's references lead to and is not there any more: a clean-up or a bad disk took it. */
async function damageFindings(repo: Repo): Promise<Finding[]> {
  try {
    return (await findDamage(repo)).map(({ ref, detail }) => ({
      level: "error",
      code: "record-damaged",
      text: `${ref} is not whole: ${detail}. git gc fails until it is put right.`,
      next: "Run: seam doctor --fix. What is left is kept; where it was is noted in .git/seam/aside.",
      fix: [],
    }));
  } catch (error) {
    const text = `Not everything that was recorded could be looked at: ${messageOf(error)}`;
    return [{ level: "warning", code: "record-unread", text }];
  }
}
