import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type DaemonPaths, daemonPaths, ensureClient, stopDaemon } from "../../daemon/index.ts";
import { SeamError } from "../../errors/index.ts";
import { git, openRepo } from "../../git/index.ts";
import { enableRecord, installGitHooks } from "../../record/index.ts";
import { builtFile, packageRoot } from "../../settings/index.ts";
import { SKILL, TURNS } from "./script.ts";

/** A repository and a home for Seam that the demo has to itself. */
export interface Scratch {
  readonly project: string;
  readonly paths: DaemonPaths;
  /** Runs seam there; what it prints is passed to `show` as it comes. */
  seam(args: readonly string[], show?: (text: string) => void): Promise<string>;
  git(args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

export async function makeScratch(): Promise<Scratch> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "seam-demo-")));
  const project = join(root, "project");
  const home = join(root, "seam");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  write(join(project, "README.md"), "# A project\n");
  write(join(project, "notes/ideas.md"), "Do not lose these.\n");
  write(join(project, ".seam/skills/greeting/SKILL.md"), SKILL);
  write(join(root, "turns.json"), JSON.stringify(TURNS));
  const gate = "permission-gate.ts";
  mkdirSync(join(home, "extensions"), { recursive: true });
  cpSync(join(packageRoot(), "extensions", gate), join(home, "extensions", gate));
  await makeRepository(project);
  const paths = daemonPaths(home);
  ensureClient(home, { environment: process.env });
  return {
    project,
    paths,
    seam: (args, show) => runSeam(args, project, home, show),
    git: async (args) => (await git(args, { cwd: project })).toString(),
    async remove() {
      await stopDaemon(paths);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function makeRepository(cwd: string): Promise<void> {
  await git(["init", "--quiet", "--initial-branch=main"], { cwd });
  // Nothing of the user's own settings may ask a question in a demo.
  const own = {
    "user.name": "Demo",
    "user.email": "demo@localhost",
    "commit.gpgsign": "false",
  };
  for (const [key, value] of Object.entries(own)) await git(["config", key, value], { cwd });
  // Nobody else has had a hand in this repository.
  const settings = [] as const;
  await git(["add", "--all"], { cwd, settings });
  await git(["commit", "--quiet", "--message", "Start"], { cwd, settings });
  const repo = await openRepo(cwd);
  if (!repo) throw new SeamError("SEAM_RECORD_NO_REPO", { path: cwd });
  enableRecord(repo);
  await installGitHooks(repo);
}

async function runSeam(
  args: readonly string[],
  cwd: string,
  home: string,
  show: (text: string) => void = () => {},
): Promise<string> {
  const program = builtFile("bin/seam.js");
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...process.env, SEAM_HOME: home, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let errors = "";
  child.stdout.on("data", (part: Buffer) => {
    out += part;
    show(String(part));
  });
  child.stderr.on("data", (part: Buffer) => {
    errors += part;
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0)
    throw new SeamError("SEAM_DEMO", { command: args.join(" "), detail: errors.trim() });
  return out;
}
