import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { readText } from "../../files/index.ts";
import {
  atRepo,
  headOf,
  listRefs,
  openRepo,
  ownFilters,
  type Repo,
  runGit,
  scanWorkTree,
  shownPath,
  workPath,
} from "../../git/index.ts";
import { awakeName } from "../../record/index.ts";

/**
 * What a user's checkout is at one moment, by content: all that is not as HEAD has it, and what of
 * the repository decides about it. Each thing has a name and a value, so that two moments can be
 * compared. What git ignores is not in it.
 */
export interface CheckoutState {
  readonly commit: string;
  /** Files that are not as the commit has them: git's id of their content, or "gone". */
  readonly files: Readonly<Record<string, string>>;
  /** Where HEAD, branches and tags are, what is staged, and the files of .git that people write. */
  readonly repository: Readonly<Record<string, string>>;
}

/** Files of the git folder that say what git does. */
const DECIDES = ["config", "hooks", "info"];

/** Bigger files are compared by their size alone. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Undefined: nobody has anything checked out there. */
export async function checkoutState(path: string): Promise<CheckoutState | undefined> {
  const repo = await openRepo(path);
  if (repo?.workTree === undefined) return undefined;
  const { workTree } = repo;
  const [head, { changes }, staged, branches, tags, stash] = await Promise.all([
    headOf(repo),
    scanWorkTree(repo),
    stagedIn(repo),
    listRefs(repo, "refs/heads/"),
    listRefs(repo, "refs/tags/"),
    listRefs(repo, "refs/stash"),
  ]);
  const files = changes.map(({ path: file, kind, id }) => [
    shownPath(file),
    kind === "deleted" ? "gone" : (id ?? contentOf(workPath(workTree, file))),
  ]);
  const refs = [...branches, ...tags, ...stash].filter(({ name }) => !name.startsWith(CREWS));
  return {
    commit: head.commit ?? "",
    files: Object.fromEntries(files),
    repository: {
      HEAD: head.branch ?? head.commit ?? "",
      "what is staged": staged,
      ...Object.fromEntries(refs.map(({ name, id = "" }) => [name, id])),
      ...decidingFiles(repo.commonDir),
    },
  };
}

/** Branches of crews, which Seam moves itself. */
const CREWS = "refs/heads/seam/";

async function stagedIn(repo: Repo): Promise<string> {
  const args = [...atRepo(repo), "diff-index", "--cached", "--raw", "-z", "HEAD"];
  const { stdout } = await runGit(args, { cwd: repo.gitDir, settings: await ownFilters(repo) });
  return createHash("sha256").update(stdout).digest("hex");
}

function decidingFiles(commonDir: string): Record<string, string> {
  const found: Record<string, string> = {};
  const look = (name: string) => {
    try {
      for (const inside of readdirSync(join(commonDir, name)).sort()) look(`${name}/${inside}`);
    } catch {
      // It is a file, or nothing at all.
      const path = join(commonDir, name);
      const content = contentOf(Buffer.from(path));
      // Hooks of Seam's wake up by themselves: it is the same hook under another name.
      const awake = name.startsWith("hooks/") ? awakeName(name, readText(path) ?? "") : name;
      const isTaken = awake !== name && `.git/${awake}` in found;
      if (content !== "gone") found[`.git/${isTaken ? name : awake}`] = content;
    }
  };
  for (const name of DECIDES) look(name);
  return found;
}

/** git's id of a content, as if it went through no filter. */
function contentOf(path: Buffer): string {
  try {
    const content = readFileSync(path);
    if (content.length > MOST_BYTES) return `${content.length} bytes`;
    return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
  } catch {
    return linkOf(path);
  }
}

/** A link that leads nowhere has a content all the same. */
function linkOf(path: Buffer): string {
  try {
    return `link to ${readlinkSync(path)}`;
  } catch {
    return "gone";
  }
}
