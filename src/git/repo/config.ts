import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { git, runGit } from "../run/run-git.ts";
import { atRepo, type Repo } from "./repo.ts";

/** Settings by lower-case key (names in the middle as they are written); the last value of each. */
export type GitConfig = ReadonlyMap<string, string>;

/** What counts in a repository, and who says it. */
export interface Settings {
  readonly all: GitConfig;
  /** What the user and the system say for every repository. */
  readonly users: GitConfig;
  /** What the repository says itself. It may have come with it, from somebody else. */
  readonly repositorys: GitConfig;
}

interface Known {
  readonly files: readonly string[];
  readonly stamp: string;
  readonly settings: Settings;
}

/** Configurations by git folder: a repository is opened anew for every event. */
const known = new Map<string, Known>();
const KEPT = 32;

/** The user's, the system's and the repository's settings together. Asks git only after a change. */
export async function configOf(repo: Repo): Promise<GitConfig> {
  return (await settingsOf(repo)).all;
}

export async function settingsOf(repo: Repo): Promise<Settings> {
  const before = known.get(repo.gitDir);
  if (before && stampOf(before.files) === before.stamp) return before.settings;
  const usual = usualFiles(repo);
  const early = stampOf(usual);
  const { settings, origins } = await ask(repo);
  const files = [...new Set([...usual, ...origins.map((path) => resolve(repo.gitDir, path))])];
  // A file that changed while git was reading would go unnoticed.
  if (stampOf(usual) === early) remember(repo.gitDir, { files, stamp: stampOf(files), settings });
  return settings;
}

function remember(gitDir: string, one: Known): void {
  known.delete(gitDir);
  known.set(gitDir, one);
  for (const oldest of [...known.keys()].slice(0, -KEPT)) known.delete(oldest);
}

interface Asked {
  readonly settings: Settings;
  readonly origins: readonly string[];
}

async function ask(repo: Repo): Promise<Asked> {
  const list = [...atRepo(repo), "config", "--list", "--show-origin", "-z"];
  const options = { cwd: repo.gitDir };
  const { stdout, code } = await runGit([...list, "--show-scope"], options);
  if (code === 0) return parse(stdout, true);
  // git before 2.26 does not tell whose word it is: then all of it is taken for the repository's.
  return parse(await git(list, options), false);
}

const OF_REPOSITORY: ReadonlySet<string | undefined> = new Set(["local", "worktree", undefined]);

/** `[scope NUL] file:<path> NUL key LF value NUL`, over and over. */
function parse(output: Buffer, hasScope: boolean): Asked {
  const all = new Map<string, string>();
  const users = new Map<string, string>();
  const repositorys = new Map<string, string>();
  const origins: string[] = [];
  const fields = output.toString().split("\0").values();
  for (let field = fields.next(); !field.done && field.value !== ""; field = fields.next()) {
    const scope = hasScope ? field.value : undefined;
    const origin: string = hasScope ? (fields.next().value ?? "") : field.value;
    if (origin.startsWith("file:")) origins.push(origin.slice("file:".length));
    const [key = "", ...lines] = (fields.next().value ?? "").split("\n");
    const value = lines.length === 0 ? "true" : lines.join("\n");
    all.set(key, value);
    (OF_REPOSITORY.has(scope) ? repositorys : users).set(key, value);
  }
  return { settings: { all, users, repositorys }, origins };
}

/** The files a configuration is read from, also those that are not there yet. */
function usualFiles({ gitDir, commonDir }: Repo): string[] {
  const { GIT_CONFIG_GLOBAL, XDG_CONFIG_HOME, HOME = homedir() } = process.env;
  return [
    join(commonDir, "config"),
    join(gitDir, "config.worktree"),
    "/etc/gitconfig",
    GIT_CONFIG_GLOBAL || join(HOME, ".gitconfig"),
    join(XDG_CONFIG_HOME || join(HOME, ".config"), "git/config"),
  ];
}

function stampOf(files: readonly string[]): string {
  const stamps = files.map((path) => {
    try {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
      return stats ? `${stats.ino}:${stats.size}:${stats.mtimeNs}` : "-";
    } catch {
      return "-";
    }
  });
  return stamps.join();
}
