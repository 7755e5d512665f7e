import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { git } from "../run/run-git.ts";
import { atRepo, type Repo } from "./repo.ts";

/** All settings that count in a repository, by lower-case key; the last value of each. */
export type GitConfig = ReadonlyMap<string, string>;

interface Known {
  readonly files: readonly string[];
  readonly stamp: string;
  readonly config: GitConfig;
}

/** By git folder: a repository is opened anew for every event. */
const known = new Map<string, Known>();
const KEPT = 32;

/** The user's, the system's and the repository's settings together. Asks git only after a change. */
export async function configOf(repo: Repo): Promise<GitConfig> {
  const before = known.get(repo.gitDir);
  if (before && stampOf(before.files) === before.stamp) return before.config;
  const args = [...atRepo(repo), "config", "--list", "--show-origin", "-z"];
  const usual = usualFiles(repo);
  const early = stampOf(usual);
  const { config, origins } = parse(await git(args, { cwd: repo.gitDir }));
  const files = [...new Set([...usual, ...origins.map((path) => resolve(repo.gitDir, path))])];
  // A file that changed while git was reading would go unnoticed.
  if (stampOf(usual) === early) remember(repo.gitDir, { files, stamp: stampOf(files), config });
  return config;
}

function remember(gitDir: string, one: Known): void {
  known.delete(gitDir);
  known.set(gitDir, one);
  for (const oldest of [...known.keys()].slice(0, -KEPT)) known.delete(oldest);
}

/** `file:<path> NUL key LF value NUL`, over and over. */
function parse(output: Buffer): { config: GitConfig; origins: string[] } {
  const config = new Map<string, string>();
  const origins: string[] = [];
  const fields = output.toString().split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [origin = "", pair = ""] = [fields[at], fields[at + 1]];
    if (origin.startsWith("file:")) origins.push(origin.slice("file:".length));
    const [key = "", ...value] = pair.split("\n");
    config.set(key, value.length === 0 ? "true" : value.join("\n"));
  }
  return { config, origins };
}

/** Also those that are not there yet. */
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
