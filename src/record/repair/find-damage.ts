import { rmSync } from "node:fs";
import { join } from "node:path";
import { readText, replaceFile } from "../../files/index.ts";
import { atRepo, listRefs, type Repo, runGit } from "../../git/index.ts";
import { seamDirOf } from "../seam-dir.ts";

/** A reference of Seam's that leads to something that is not there any more. */
export interface DamagedRef {
  readonly ref: string;
  /** Where it is; undefined if not even that can be read. */
  readonly at: string | undefined;
  /** Objects that are gone, as far as git could name them. */
  readonly missing: readonly string[];
  readonly detail: string;
}

/** A repository of any size is looked at in this time, or the user is told that it was not. */
const LONGEST_MS = 60_000;

/**
 * References of Seam's from which not everything can be reached. `git gc` refuses to work as long as
 * there is one. Looks whether objects are there, not into them, and at nothing that the user's own
 * branches and tags have too.
 */
export async function findDamage(repo: Repo): Promise<DamagedRef[]> {
  const refs = await listRefs(repo, "refs/seam/");
  const tips = refs.flatMap(({ id }) => id ?? []);
  // In a partial clone objects are missing on purpose.
  const whole = repo.isPartial ? undefined : await missingFrom(repo, tips);
  const isWhole = whole === undefined || (whole.missing.length === 0 && !whole.detail);
  const damaged: DamagedRef[] = [];
  for (const { name: ref, id: at } of refs) {
    if (at === undefined) {
      damaged.push({ ref, at, missing: [], detail: "its file is damaged" });
    } else if (!isWhole) {
      const { missing, detail } = await missingFrom(repo, [at]);
      const some = `${missing.length} objects are gone`;
      if (detail || missing.length > 0) damaged.push({ ref, at, missing, detail: detail ?? some });
    }
  }
  remember(repo, damaged);
  return damaged;
}

interface Missing {
  readonly missing: readonly string[];
  /** Why git could not even look at all. */
  readonly detail: string | undefined;
}

/** What cannot be reached from some commits. */
export async function missingFrom(repo: Repo, tips: readonly string[]): Promise<Missing> {
  if (tips.length === 0) return { missing: [], detail: undefined };
  const walk = ["rev-list", "--objects", "--quiet", "--missing=print", "--no-object-names"];
  const but = ["--stdin", "--not", "--branches", "--tags", "--remotes"];
  const input = `${tips.join("\n")}\n`;
  const options = { cwd: repo.gitDir, input, timeoutMs: LONGEST_MS };
  const { stdout, stderr, code } = await runGit([...atRepo(repo), ...walk, ...but], options);
  const missing = [...stdout.toString().matchAll(/^\?([0-9a-f]{40,64})$/gm)];
  return {
    missing: missing.map(([, id]) => id ?? ""),
    detail: code === 0 ? undefined : (stderr.trim().split("\n").at(-1) ?? `exit code ${code}`),
  };
}

const fileOf = (repo: Repo) => join(seamDirOf(repo), "damaged");

/** For `seam status`, which does not look at everything each time. */
function remember(repo: Repo, damaged: readonly DamagedRef[]): void {
  const lines = damaged.map(({ ref, detail }) => `${ref}: ${detail}\n`);
  if (lines.length > 0) replaceFile(fileOf(repo), lines.join(""));
  else rmSync(fileOf(repo), { force: true });
}

/** What the last look found; "" if nothing. */
export function knownDamage(repo: Repo): string {
  return (readText(fileOf(repo)) ?? "").trim();
}
