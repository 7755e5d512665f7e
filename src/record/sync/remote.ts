import { SeamError } from "../../errors/index.ts";
import { atRepo, type GitResult, ownTransport, type Repo, runGit } from "../../git/index.ts";
import { CHECKPOINTS_REF } from "../checkpoint/metadata.ts";
import { fileSafe } from "../file-safe.ts";

/** Where checkpoints are exchanged. */
export interface SyncRemote {
  /** What git is told: the name of a remote, or a URL. */
  readonly name: string;
  /** For people: without a password. */
  readonly shown: string;
  /** The reference here that holds what the remote has. */
  readonly tracking: string;
}

/** A remote of the repository, or any URL git understands. */
export async function remoteNamed(repo: Repo, name: string): Promise<SyncRemote> {
  const { stdout } = await inRepo(repo, ["remote"]);
  const isKnown = stdout.toString().split("\n").includes(name);
  // A word that names no remote would be taken for a folder here.
  const isUrl = /[/:\\]/.test(name) && !name.startsWith("-");
  if (name === "" || !(isKnown || isUrl)) throw new SeamError("SEAM_SYNC_REMOTE", { remote: name });
  const shown = name.replace(/\/\/[^/@]*@/, "//");
  return { name, shown, tracking: trackingRef(name) };
}

/** The references here that hold what remotes have. */
export const REMOTES_PREFIX = "refs/seam/remotes/";

export function trackingRef(remote: string): string {
  return `${REMOTES_PREFIX}${fileSafe(remote)}/v1`;
}

/** Where the other side is; undefined if it has no checkpoints. */
export async function remoteTip(repo: Repo, remote: SyncRemote): Promise<string | undefined> {
  const args = ["ls-remote", "--quiet", "--", remote.name, CHECKPOINTS_REF];
  const result = await inRepo(repo, args);
  if (result.code !== 0) throw failed("SEAM_SYNC_FETCH", remote, result);
  const line = result.stdout
    .toString()
    .split("\n")
    .find((one) => one.endsWith(`\t${CHECKPOINTS_REF}`));
  return line?.split("\t")[0];
}

/** Only this one reference, whatever is configured to be fetched. */
export async function fetchCheckpoints(repo: Repo, remote: SyncRemote): Promise<void> {
  const result = await inRepo(repo, [
    ...["-c", "fetch.prune=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false"],
    ...["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"],
    ...["--no-filter", "--refmap=", "--", remote.name, `+${CHECKPOINTS_REF}:${remote.tracking}`],
  ]);
  if (result.code !== 0) throw failed("SEAM_SYNC_FETCH", remote, result);
}

/** False if the other side has moved since it was read. */
export async function pushCheckpoints(
  repo: Repo,
  remote: SyncRemote,
  commit: string,
  expected: string | undefined,
): Promise<boolean> {
  const result = await inRepo(repo, [
    ...["push", "--quiet", "--porcelain", "--no-verify", "--no-follow-tags", "--no-signed"],
    ...["--recurse-submodules=no", `--force-with-lease=${CHECKPOINTS_REF}:${expected ?? ""}`],
    ...["--", remote.name, `${commit}:${CHECKPOINTS_REF}`],
  ]);
  if (result.code === 0) return true;
  const text = `${result.stdout.toString()}${result.stderr}`;
  if (
    /stale info|fetch first|non-fast-forward|cannot lock ref|reference already exists/i.test(text)
  ) {
    return false;
  }
  throw failed("SEAM_SYNC_PUSH", remote, { ...result, stderr: text });
}

function failed(
  code: "SEAM_SYNC_FETCH" | "SEAM_SYNC_PUSH",
  { shown, name }: SyncRemote,
  { stderr }: GitResult,
): SeamError {
  const detail = stderr.replaceAll(name, shown).trim();
  return new SeamError(code, { remote: shown, detail });
}

async function inRepo(repo: Repo, args: readonly string[]): Promise<GitResult> {
  const cwd = repo.workTree ?? repo.gitDir;
  const { GIT_ALLOW_PROTOCOL } = process.env;
  // Without a person there would be nobody to type a password, and it would wait for ever.
  const env = { GIT_ALLOW_PROTOCOL, GIT_TERMINAL_PROMPT: process.stdin.isTTY ? undefined : "0" };
  return runGit([...atRepo(repo), ...args], {
    cwd,
    env,
    settings: await ownTransport(repo),
    timeoutMs: Number.POSITIVE_INFINITY,
  });
}
