import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { SeamError } from "../../errors/index.ts";
import {
  atRepo,
  git,
  listRefs,
  openRepo,
  ownTransport,
  type Repo,
  readRef,
  updateRef,
} from "../../git/index.ts";
import type { Run, Task } from "../model/run.ts";
import { WorkspacePool } from "../workspaces/workspace-pool.ts";

interface Options {
  readonly home: string;
  readonly worker: string;
  /** Where worktrees are, if the settings say so. */
  readonly slots?: string;
}

/**
 * The repositories of runs on this machine. A run that was started here has its own; for one that
 * was started elsewhere there is a clone of the remote that its user named.
 */
export class Repositories {
  readonly #options: Options;
  readonly #pools = new Map<string, WorkspacePool>();

  constructor(options: Options) {
    this.#options = options;
  }

  async pathFor(run: Run): Promise<string> {
    if (run.origin === this.#options.worker) return run.repository;
    if (run.remote === undefined) {
      throw new SeamError("SEAM_CREW_NO_REMOTE", { run: run.id, origin: run.origin });
    }
    const name = createHash("sha256").update(run.remote).digest("hex").slice(0, 16);
    const path = join(this.#options.home, "crew/repositories", name);
    if (!existsSync(join(path, "HEAD"))) {
      mkdirSync(path, { recursive: true });
      await git(["init", "--quiet", "--bare", path], { cwd: path });
    }
    return path;
  }

  async poolFor(run: Run): Promise<WorkspacePool> {
    const repository = await this.pathFor(run);
    let pool = this.#pools.get(repository);
    if (!pool) {
      const { home, slots: folder } = this.#options;
      pool = new WorkspacePool({ repository, home, ...(folder !== undefined && { folder }) });
      this.#pools.set(repository, pool);
    }
    return pool;
  }

  /** Brings what other machines made of a run, if it is on several. */
  async fetch(run: Run): Promise<void> {
    if (run.remote === undefined) return;
    const taken = `refs/seam/crew/${run.id}/`;
    await this.#exchange(run, [
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-write-fetch-head",
      run.remote,
      `+refs/heads/${run.target}:refs/heads/${run.target}`,
      `+refs/heads/seam/tasks/${run.id}/*:${taken}*`,
    ]);
    const repo = await this.#repo(run);
    for (const { name, id } of await listRefs(repo, taken)) {
      const branch = `refs/heads/seam/tasks/${run.id}/${name.slice(taken.length)}`;
      // A task that was begun elsewhere goes on from what was pushed of it.
      const isNew = id !== undefined && (await readRef(repo, branch)) === undefined;
      if (isNew) await updateRef(repo, branch, id, null);
    }
  }

  /** Gives a branch of a run to the other machines: to the remote that was named, and nothing else. */
  async push(run: Run, branch: string): Promise<void> {
    if (run.remote === undefined) return;
    const spec = `+refs/heads/${branch}:refs/heads/${branch}`;
    await this.#exchange(run, ["push", "--quiet", "--no-verify", run.remote, spec]);
  }

  async #exchange(run: Run, args: readonly string[]): Promise<void> {
    const repo = await this.#repo(run);
    const settings = await ownTransport(repo);
    // The user named this remote, so its transport is allowed; nobody is there to type a password.
    const env = { GIT_ALLOW_PROTOCOL: process.env.GIT_ALLOW_PROTOCOL, GIT_TERMINAL_PROMPT: "0" };
    await git([...atRepo(repo), ...args], {
      cwd: repo.gitDir,
      settings,
      env,
      timeoutMs: EXCHANGE_MS,
    });
  }

  async #repo(run: Run): Promise<Repo> {
    const path = await this.pathFor(run);
    const repo = await openRepo(path);
    if (!repo) throw new SeamError("SEAM_CREW_NO_REPO", { path });
    return repo;
  }
}

/** A remote that does not answer by then is tried again by the step that needs it. */
const EXCHANGE_MS = 300_000;

/** What a task's commit is called for people who look at the branch. */
export function commitMessage(run: Run, task: Task): string {
  return `${task.title}\n\nTask ${task.id} of the crew ${run.id}: ${run.goal.split("\n")[0]}\n`;
}
