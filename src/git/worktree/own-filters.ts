import type { RawPath } from "../paths/raw-path.ts";
import { type Settings, settingsOf } from "../repo/config.ts";
import { atRepo, type Repo } from "../repo/repo.ts";
import type { Setting } from "../run/own-programs.ts";
import { git } from "../run/run-git.ts";
import { gitError } from "../run/spawn-git.ts";
import { nulPaths } from "./path-list.ts";

const FILTER = /^filter\.(.+)\.(clean|smudge|process|required)$/s;

/**
 * Settings for a call of git that looks into files: only filters that the user or the system has
 * set up run. Those that the repository itself names do nothing: it may have come from anywhere.
 */
export async function ownFilters(repo: Repo): Promise<Setting[]> {
  const { users, repositorys } = await settingsOf(repo);
  return [...namedIn({ repositorys })].flatMap((name): Setting[] => {
    // git reads a setting for one call up to the first "=": it would be taken for another one.
    if (name.includes("=")) {
      throw gitError(["config"], repo.gitDir, `its configuration has a filter named "${name}"`);
    }
    return ["clean", "smudge", "process", "required"].flatMap((what): Setting[] => {
      const key = `filter.${name}.${what}`;
      if (!repositorys.has(key)) return [];
      return [[key, users.get(key) ?? (what === "required" ? "false" : "")]];
    });
  });
}

/** Filters that a repository names itself. */
function namedIn({ repositorys }: Pick<Settings, "repositorys">): Set<string> {
  return new Set([...repositorys.keys()].flatMap((key) => FILTER.exec(key)?.[1] ?? []));
}

/** Whether the user has a filter of that name, and the repository none that git would prefer. */
function isUsers({ users, repositorys }: Settings, name: string): boolean {
  const process = `filter.${name}.process`;
  if (users.has(process)) return true;
  return users.has(`filter.${name}.clean`) && !repositorys.has(process);
}

/**
 * Which of these files would go through a filter that does not run because only the repository
 * names it. What git would store for them, or write in their place, is not known.
 */
export async function unfilteredPaths(
  repo: Repo,
  paths: readonly RawPath[],
): Promise<ReadonlySet<RawPath>> {
  const settings = await settingsOf(repo);
  const refused = [...namedIn(settings)].filter((name) => !isUsers(settings, name));
  const { workTree } = repo;
  if (refused.length === 0 || paths.length === 0 || workTree === undefined) return new Set();
  const values = await attributesOf(repo, workTree, ["filter"], paths);
  const named = new Set(refused.map((name) => Buffer.from(name).toString("latin1")));
  return new Set(values.filter(({ value }) => named.has(value)).map(({ path }) => path));
}

/**
 * Which of these files git changes by more than their line ends when it writes them: by a filter, by
 * another encoding, or by putting their id into them.
 */
export async function rewrittenPaths(
  repo: Repo,
  paths: readonly RawPath[],
): Promise<ReadonlySet<RawPath>> {
  const { workTree } = repo;
  if (paths.length === 0 || workTree === undefined) return new Set();
  const values = await attributesOf(repo, workTree, REWRITING, paths);
  return new Set(values.filter(({ value }) => !OFF.has(value)).map(({ path }) => path));
}

const REWRITING = ["filter", "working-tree-encoding", "ident"];
const OFF = new Set(["unspecified", "unset"]);

interface AttributeValue {
  readonly path: RawPath;
  readonly value: string;
}

async function attributesOf(
  repo: Repo,
  workTree: string,
  names: readonly string[],
  paths: readonly RawPath[],
): Promise<AttributeValue[]> {
  const base = [...atRepo(repo), "--work-tree", workTree];
  const args = [...base, "check-attr", "-z", "--stdin", ...names];
  const output = await git(args, { cwd: workTree, input: nulPaths(paths) });
  // path NUL attribute NUL value NUL, over and over.
  const fields = output.toString("latin1").split("\0");
  const found: AttributeValue[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    found.push({ path: fields[at] as RawPath, value: fields[at + 2] ?? "" });
  }
  return found;
}
