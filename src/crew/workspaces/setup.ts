import { createHash } from "node:crypto";
import { SeamError } from "../../errors/index.ts";
import { runCommand } from "../commands/run-command.ts";
import { type SlotTree, slotGit } from "./slot-git.ts";

/** What makes a fresh worktree ready to work in: `npm ci`, for instance. */
export interface Setup {
  /** From the user's settings, or from the project's after the user agreed to them. */
  readonly command: string;
  readonly timeoutMs: number;
}

/** Files that say which packages are to be installed. While none changes, what is installed fits. */
const LOCK_FILES = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
  "deno.lock",
  "Cargo.lock",
  "go.sum",
  "poetry.lock",
  "uv.lock",
  "pdm.lock",
  "Pipfile.lock",
  "requirements*.txt",
  "Gemfile.lock",
  "composer.lock",
  "mix.lock",
  "pubspec.lock",
  "gradle.lockfile",
  "packages.lock.json",
  "flake.lock",
  // Says which submodules there are.
  ".gitmodules",
] as const;

/** What a setup command is run for: itself, and the lock files as the worktree's commit has them. */
export async function setupKey(tree: SlotTree, { command }: Setup): Promise<string> {
  const specs = LOCK_FILES.map((name) => `:(top,glob)**/${name}`);
  const locks = await slotGit(tree, ["ls-files", "--stage", "-z", "--", ...specs]);
  return createHash("sha256").update(`${command}\0`).update(locks).digest("hex");
}

interface SetupOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes what it prints. */
  readonly file: string;
  readonly signal?: AbortSignal | undefined;
}

export async function runSetup(tree: SlotTree, setup: Setup, options: SetupOptions): Promise<void> {
  const { command, timeoutMs } = setup;
  const end = await runCommand(command, { ...options, cwd: tree.path, timeoutMs });
  if (end.exitCode === 0) return;
  const reason = end.reason ?? `exit code ${end.exitCode}`;
  const { file } = options;
  throw new SeamError("SEAM_CREW_SETUP", { reason, command, file, path: tree.path });
}
