import { type Dirent, readdirSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { atRepo, type Repo } from "../repo/repo.ts";
import { isAbsent } from "../run/is-absent.ts";
import { git } from "../run/run-git.ts";
import { refFile } from "./loose-ref.ts";
import { listPackedRefs } from "./packed-refs.ts";
import { readRefFiles } from "./read-ref.ts";
import { isRefName } from "./ref-name.ts";

export interface RefEntry {
  readonly name: string;
  /** Undefined when the reference is damaged. */
  readonly id: string | undefined;
}

/** All references whose full name starts with the prefix, by name. */
export async function listRefs(repo: Repo, prefix: string): Promise<RefEntry[]> {
  const found = repo.refFormat === "files" ? fromFiles(repo, prefix) : await fromGit(repo, prefix);
  return [...found]
    .map(([name, id]) => ({ name, id }))
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function fromFiles(repo: Repo, prefix: string): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>(listPackedRefs(repo, prefix));
  const folder = prefix.endsWith("/") ? prefix.slice(0, -1) : dirname(prefix);
  for (const name of looseNames(repo, folder)) {
    if (!name.startsWith(prefix) || !isRefName(name)) continue;
    try {
      const id = readRefFiles(repo, name);
      if (id !== undefined) found.set(name, id);
    } catch {
      found.set(name, undefined);
    }
  }
  return found;
}

function* looseNames(repo: Repo, folder: string): Generator<string> {
  let entries: Dirent[];
  try {
    entries = readdirSync(refFile(repo, folder), { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return;
    throw error;
  }
  for (const entry of entries) {
    const name = join(folder, entry.name);
    if (entry.isDirectory()) yield* looseNames(repo, name);
    else yield name;
  }
}

async function fromGit(repo: Repo, prefix: string): Promise<Map<string, string>> {
  const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", folder];
  const text = (await git([...atRepo(repo), ...args], { cwd: repo.gitDir })).toString();
  const lines = text.split("\n").filter((line) => line !== "");
  const pairs = lines.map((line) => {
    const space = line.indexOf(" ");
    return [line.slice(space + 1), line.slice(0, space)] as const;
  });
  return new Map(pairs.filter(([name]) => name.startsWith(prefix)));
}
