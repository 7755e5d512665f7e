import { atRepo, git, ownFilters, type Repo } from "../../git/index.ts";
import { secretRemover } from "../../record/index.ts";
import { lineFrom } from "../history/commits.ts";
import type { Workspace } from "../workspaces/workspace.ts";

/** What looks like a secret in the work of a task. */
export interface FoundSecrets {
  /** "config.ts: aws-access-key": these have a form that only secrets have, or stand where secrets do. */
  readonly sure: readonly string[];
  /** These are only random: a secret, or the id of something. */
  readonly random: readonly string[];
}

const NONE: FoundSecrets = { sure: [], random: [] };

/** More than this nobody wrote by hand; the rest of it is not searched, and that is said. */
const MOST_TEXT = 16 * 1024 * 1024;

/**
 * Looks for what the record would take out in everything that a task's branch would bring: in what
 * its work adds, and in each commit of the agent's on the way there, which a merge brings along.
 */
export async function findSecrets(
  { repo, base, path }: Workspace,
  commit: string,
  target: string,
  log: (text: string) => void,
): Promise<FoundSecrets> {
  if (commit === base) return NONE;
  const plain = ["--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
  const range = [commit, "--not", base, target];
  // Mostly the work is one commit: then there are no steps on the way to it.
  const isOneStep = lineFrom(repo, base, commit)?.length === 1;
  const [whole, steps] = await Promise.all([
    output(repo, ["diff", ...plain, base, commit]),
    isOneStep
      ? ""
      : output(repo, ["log", "--patch", "--no-merges", "--format=", ...plain, ...range]),
  ]);
  const added = addedIn(`${whole}\n${steps}`);
  const remover = secretRemover((_, text) => log(text), path);
  const sure = new Set<string>();
  const random = new Set<string>();
  for (const [file, lines] of added) {
    const redacted = await remover.text(lines.join("\n"));
    for (const [, kind = ""] of redacted.matchAll(/\[REDACTED:([a-z0-9-]+)\]/g)) {
      if (lines.some((line) => line.includes(`[REDACTED:${kind}]`))) continue;
      (kind === "random" ? random : sure).add(`${file}: ${kind}`);
    }
  }
  return { sure: [...sure], random: [...random] };
}

async function output(repo: Repo, args: readonly string[]): Promise<string> {
  const settings = await ownFilters(repo);
  const text = await git([...atRepo(repo), ...args], { cwd: repo.gitDir, settings });
  return text.subarray(0, MOST_TEXT).toString();
}

/** The lines that a patch adds, by file. */
function addedIn(patch: string): Map<string, string[]> {
  const added = new Map<string, string[]>();
  let lines: string[] = [];
  let isHead = true;
  for (const line of patch.split("\n")) {
    if (line.startsWith("diff --git ")) isHead = true;
    else if (line.startsWith("@@ ")) isHead = false;
    else if (isHead && line.startsWith("+++ ")) {
      const file = line
        .slice("+++ ".length)
        .replace(/^"?b\//, "")
        .replace(/"$/, "");
      lines = added.get(file) ?? [];
      added.set(file, lines);
    } else if (!isHead && line.startsWith("+")) lines.push(line.slice(1));
  }
  return added;
}
