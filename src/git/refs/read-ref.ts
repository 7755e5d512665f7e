import { SeamError } from "../../errors/index.ts";
import { atRepo, type Repo } from "../repo/repo.ts";
import { runGit } from "../run/run-git.ts";
import { readLooseRef } from "./loose-ref.ts";
import { readPackedRef } from "./packed-refs.ts";
import { checkRefName } from "./ref-name.ts";

/** git's own limit: a loop of symbolic references has to end somewhere. */
const DEEPEST = 5;

/** The object a reference leads to; undefined when there is none. Throws when it is damaged. */
export async function readRef(repo: Repo, name: string): Promise<string | undefined> {
  checkRefName(name);
  return repo.refFormat === "files" ? readRefFiles(repo, name) : askGit(repo, name);
}

/** The same from files alone, for repositories that keep references in files. */
export function readRefFiles(repo: Repo, name: string): string | undefined {
  let at = name;
  for (let depth = 0; depth <= DEEPEST; depth++) {
    const value = readLooseRef(repo, at);
    if (value === undefined) return readPackedRef(repo, at);
    if ("id" in value) return value.id;
    checkRefName(value.target);
    at = value.target;
  }
  throw new SeamError("SEAM_GIT_REF", { ref: name, detail: "it leads in a circle" });
}

async function askGit(repo: Repo, name: string): Promise<string | undefined> {
  const args = [...atRepo(repo), "rev-parse", "--verify", "--quiet", name];
  const { stdout, code } = await runGit(args, { cwd: repo.gitDir });
  return code === 0 ? stdout.toString().trim() : undefined;
}
