/** What the tests of this room share: real repositories in temporary folders, far from the user's settings. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { ObjectStore, type StoreOptions } from "../objects/object-store.ts";
import { openRepo } from "../repo/open-repo.ts";
import type { Repo } from "../repo/repo.ts";

/** A folder that is gone after the test. */
export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "seam-git-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }));
  return dir;
}

export interface InitOptions {
  readonly bare?: boolean;
  readonly format?: "sha1" | "sha256";
}

/** An empty repository. */
export function init({ bare = false, format = "sha1" }: InitOptions = {}): string {
  const root = tempDir();
  cpSync(begun(bare, format), root, { recursive: true, preserveTimestamps: true });
  // A copied folder is new, whatever its files are.
  settlePacks(join(root, bare ? "" : ".git"));
  return root;
}

/** The repository that all begin with: git makes it once for a file of tests, the others are copies. */
function begun(bare: boolean, format: string): string {
  const kept = join(tmpdir(), `empty-${bare ? "bare" : "repository"}-${format}`);
  if (existsSync(kept)) return kept;
  const made = mkdtempSync(join(tmpdir(), "seam-git-"));
  const options = [`--object-format=${format}`, "--initial-branch=main"];
  run(made, "init", "-q", ...options, ...(bare ? ["--bare"] : []));
  run(made, "config", "user.name", "Test User");
  run(made, "config", "user.email", "test@example.com");
  // After every commit it would start another git, which looks whether there is something to tidy.
  run(made, "config", "maintenance.auto", "false");
  renameSync(made, kept);
  return kept;
}

/** As if the packs had been there for long: young ones are looked at twice, by two processes. */
export function settle(root: string): void {
  settlePacks(run(root, "rev-parse", "--absolute-git-dir"));
}

function settlePacks(gitDir: string): void {
  utimesSync(join(gitDir, "objects/pack"), 1, 1);
}

/** A repository with one commit of these files. */
export function withFiles(files: Files, options?: InitOptions): string {
  const root = init(options);
  write(root, files);
  commitEverything(root, "all");
  return root;
}

export type Files = Readonly<Record<string, string | Buffer>>;

export function write(root: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

export function commitAll(root: string, message = "all"): string {
  commitEverything(root, message);
  return run(root, "rev-parse", "HEAD");
}

function commitEverything(root: string, message: string): void {
  run(root, "add", "--all");
  run(root, "commit", "-q", "--allow-empty", "-m", message);
}

/** What git prints, without the newline at its end. */
export function run(cwd: string, ...args: string[]): string {
  return bytes(cwd, args).toString().replace(/\n$/, "");
}

export function bytes(
  cwd: string,
  args: readonly string[],
  input?: string | Buffer,
  env: NodeJS.ProcessEnv = {},
): Buffer {
  const options = { cwd, input, env: { ...process.env, ...env }, maxBuffer: 1 << 30 };
  return execFileSync("git", args, { ...options, stdio: ["pipe", "pipe", "pipe"] });
}

/** Everything `git fsck` has to say against the repository: nothing, if all is well. */
export function complaints(cwd: string): string {
  const { stdout, stderr, status } = spawnSync("git", ["fsck", "--strict", "--no-progress"], {
    cwd,
    encoding: "utf8",
  });
  const lines = `${stdout}${stderr}`.split("\n");
  const harmless = /^(dangling|notice: (HEAD points|No default))|^$/;
  const found = lines.filter((line) => !harmless.test(line));
  return [...found, ...(status === 0 ? [] : [`exit code ${status}`])].join("\n");
}

export async function opened(root: string): Promise<Repo> {
  const repo = await openRepo(root);
  if (!repo) throw new Error(`no repository at ${root}`);
  return repo;
}

/** A store that is closed after the test. */
export async function storeOf(root: string, options?: StoreOptions): Promise<ObjectStore> {
  const store = new ObjectStore(await opened(root), options);
  onTestFinished(() => store.close());
  return store;
}

/** Settings of the user's, for all repositories of this test. */
export function userSays(settings: Readonly<Record<string, string>>): void {
  const file = join(tempDir(), "gitconfig");
  for (const [key, value] of Object.entries(settings)) run("/", "config", "-f", file, key, value);
  setEnv("GIT_CONFIG_GLOBAL", file);
}

/** Sets a variable of the environment for this test. */
export function setEnv(name: string, value: string | undefined): void {
  const before = process.env[name];
  const set = (to: string | undefined) => {
    if (to === undefined) delete process.env[name];
    else process.env[name] = to;
  };
  set(value);
  onTestFinished(() => set(before));
}
