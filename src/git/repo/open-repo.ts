import { basename, dirname, join, resolve } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { runGit } from "../run/run-git.ts";
import { gitError } from "../run/spawn-git.ts";
import { asBoolean, type ConfigFile, parseConfigFile } from "./config-file.ts";
import { commonDirOf, findGitDir, repositoryAt } from "./find-git-dir.ts";
import type { Repo } from "./repo.ts";
import { readSmall, statOf } from "./small-file.ts";

/** Format extensions that change nothing for what Seam does, or that it knows how to handle. */
const KNOWN_EXTENSIONS = new Set([
  "noop",
  "noop-v1",
  "preciousobjects",
  "partialclone",
  "worktreeconfig",
  "objectformat",
  "compatobjectformat",
  "refstorage",
  "relativeworktrees",
]);

/** Others wait until it is known which repository something is about. */
const ASK_MS = 5_000;

/**
 * The repository a folder is in. Costs no process in the usual cases; git is asked where it has
 * rules of its own, and an error says why when it refuses a repository (for instance one that
 * belongs to another user).
 */
export async function openRepo(cwd: string): Promise<Repo | undefined> {
  const found = findGitDir(cwd);
  if (found === "none") return undefined;
  if (found === "unusual") return askGit(cwd);
  const commonDir = commonDirOf(found.gitDir);
  const shared = configAt(join(commonDir, "config"));
  return isKnownFormat(shared)
    ? describe(found.gitDir, commonDir, shared, found.around)
    : askGit(cwd);
}

async function askGit(cwd: string): Promise<Repo | undefined> {
  const args = ["rev-parse", "--absolute-git-dir", "--is-inside-work-tree"];
  const options = { cwd, timeoutMs: ASK_MS };
  const { stdout, stderr, code } = await runGit(args, options);
  if (code !== 0) {
    if (/not a git repository/i.test(stderr)) return undefined;
    throw gitError(args, cwd, stderr.trim());
  }
  const [gitDir = "", inside] = stdout.toString().split("\n");
  const top =
    inside === "true" ? await runGit(["rev-parse", "--show-toplevel"], options) : undefined;
  const around = top?.stdout.toString().replace(/\n$/, "");
  const commonDir = commonDirOf(gitDir);
  return describe(gitDir, commonDir, configAt(join(commonDir, "config")), around);
}

function describe(
  gitDir: string,
  commonDir: string,
  shared: ConfigFile,
  around: string | undefined,
): Repo {
  checkFiles(gitDir, commonDir);
  const isLinked = commonDir !== gitDir;
  const own = asBoolean(shared.get("extensions.worktreeconfig"))
    ? configAt(join(gitDir, "config.worktree"))
    : new Map<string, string>();
  // What says where the work tree is counts for the main one alone when it is in the shared file.
  const place = (key: string) => own.get(key) ?? (isLinked ? undefined : shared.get(key));
  return {
    gitDir,
    commonDir,
    workTree: workTreeOf(gitDir, isLinked, around, place),
    worktreeId: isLinked ? basename(gitDir) : "",
    objectFormat: shared.get("extensions.objectformat") === "sha256" ? "sha256" : "sha1",
    refFormat: shared.get("extensions.refstorage") === "reftable" ? "reftable" : "files",
    isShallow: (statOf(join(commonDir, "shallow"))?.size ?? 0) > 0,
    isSparse:
      asBoolean(own.get("core.sparsecheckout") ?? shared.get("core.sparsecheckout")) ?? false,
    isPartial: [...shared].some(isPromisor),
    isShared: isSharedWithOthers(shared.get("core.sharedrepository")),
  };
}

function workTreeOf(
  gitDir: string,
  isLinked: boolean,
  around: string | undefined,
  place: (key: string) => string | undefined,
): string | undefined {
  const named = place("core.worktree");
  if (named !== undefined) {
    const top = resolve(gitDir, named);
    // Anything could stand there: the user's home, or the whole disk.
    return leadsBack(top, gitDir) ? top : undefined;
  }
  if (asBoolean(place("core.bare"))) return undefined;
  if (around !== undefined) return around;
  // Some hooks are started inside the git folder.
  if (isLinked) {
    const dotGit = readSmall(join(gitDir, "gitdir"))?.trim();
    return dotGit ? dirname(resolve(gitDir, dotGit)) : undefined;
  }
  return basename(gitDir) === ".git" ? dirname(gitDir) : undefined;
}

/** Whether the work tree knows of this repository too. */
function leadsBack(workTree: string, gitDir: string): boolean {
  const found = repositoryAt(workTree);
  return typeof found === "object" && found.around !== undefined && found.gitDir === gitDir;
}

function configAt(path: string): ConfigFile {
  return parseConfigFile(readSmall(path) ?? "");
}

function isKnownFormat(config: ConfigFile): boolean {
  const version = Number(config.get("core.repositoryformatversion") ?? 0);
  if (version !== 0 && version !== 1) return false;
  const extensions = [...config.keys()].filter((key) => key.startsWith("extensions."));
  return extensions.every((key) => KNOWN_EXTENSIONS.has(key.slice("extensions.".length)));
}

function isPromisor([key, value]: readonly [string, string]): boolean {
  if (key === "extensions.partialclone") return true;
  return /^remote\..*\.promisor$/s.test(key) && (asBoolean(value) ?? false);
}

function isSharedWithOthers(value: string | undefined): boolean {
  return value !== undefined && value !== "umask" && asBoolean(value) !== false;
}

/** What nearly every git command opens: of the work tree, and of what all work trees share. */
const OWN = ["HEAD", "index", "commondir", "gitdir", "config.worktree", "info/sparse-checkout"];
const SHARED = [
  ...["config", "packed-refs", "shallow", "info/exclude", "info/attributes", "info/grafts"],
  ...["objects/info/alternates", "objects/info/commit-graph", "objects/pack/multi-pack-index"],
];

/**
 * Throws where git would wait for ever for what nobody writes: a pipe or a device in the place of
 * one of its files.
 */
function checkFiles(gitDir: string, commonDir: string): void {
  const paths = [
    ...OWN.map((name) => join(gitDir, name)),
    ...SHARED.map((name) => join(commonDir, name)),
  ];
  const unfit = paths.find((path) => {
    const stats = statOf(path);
    return stats !== undefined && !stats.isFile() && !stats.isDirectory();
  });
  if (unfit !== undefined) {
    throw new SeamError("SEAM_FILE_UNFIT", { path: unfit, detail: "it is not a file" });
  }
}
