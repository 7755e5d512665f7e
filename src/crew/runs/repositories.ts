import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, SeamError } from "../../errors/index.ts";
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
import { loadUserSettings } from "../../settings/index.ts";
import { isContained } from "../history/commits.ts";
import type { Run } from "../model/run.ts";
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
    return this.poolAt(await this.pathFor(run));
  }

  poolAt(repository: string): WorkspacePool {
    let pool = this.#pools.get(repository);
    if (!pool) {
      const { home, slots: folder } = this.#options;
      const { setup: command } = loadUserSettings().crew;
      const setup = command === undefined ? {} : { setup: { command, timeoutMs: SETUP_MS } };
      pool = new WorkspacePool({
        repository,
        home,
        ...(folder !== undefined && { folder }),
        ...setup,
      });
      this.#pools.set(repository, pool);
    }
    return pool;
  }

  /** Brings what other machines made of a run, if it is on several. */
  async fetch(run: Run): Promise<void> {
    if (run.remote === undefined) return;
    const taken = seenOf(run);
    await this.#exchange(run, [
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-write-fetch-head",
      run.remote,
      `+refs/heads/${run.target}:refs/heads/${run.target}`,
      `+${tasksOf(run)}*:${taken}*`,
    ]);
    const repo = await this.#repo(run);
    for (const { name, id } of await listRefs(repo, taken)) {
      const branch = `${tasksOf(run)}${name.slice(taken.length)}`;
      // A task that was begun elsewhere goes on from what was pushed of it.
      const isNew = id !== undefined && (await readRef(repo, branch)) === undefined;
      if (isNew) await updateRef(repo, branch, id, null);
    }
  }

  /**
   * Gives a branch of a run to the other machines: to the remote that was named, and nothing else. A
   * machine that was cut off and lost a task meanwhile must not put its own over what others made:
   * the run's branch only grows, and a task's branch is replaced only where it is as it was last seen,
   * and what was seen is this machine's own or part of what it pushes.
   * `isOurs` tells whether the task is still this machine's. If it is, another one pushed that does
   * not know yet that it lost the task; what that one made is kept aside.
   */
  async push(
    run: Run,
    branch: string,
    isOurs: () => Promise<boolean> = async () => false,
  ): Promise<void> {
    if (run.remote === undefined) return;
    const ref = `refs/heads/${branch}`;
    if (branch === run.target) return this.#push(run, ref);
    const repo = await this.#repo(run);
    const task = ref.slice(tasksOf(run).length);
    const seen = `${seenOf(run)}${task}`;
    const tip = await readRef(repo, ref);
    if (tip === undefined) return;
    const pushOver = async (there: string | undefined) => {
      if (there !== undefined) await this.#giveWay(run, task, { there, tip, isOurs });
      await this.#push(run, ref, `--force-with-lease=${ref}:${there ?? ""}`);
    };
    const known = await readRef(repo, seen);
    try {
      await pushOver(known);
    } catch (error) {
      if (error instanceof SeamError && error.code === "SEAM_CREW_BRANCH_TAKEN") throw error;
      await this.fetch(run);
      const there = await readRef(repo, seen);
      if (there === known) throw error;
      await pushOver(there);
    }
    for (const name of [seen, `${pushedOf(run)}${task}`]) {
      await updateRef(repo, name, tip, undefined);
    }
  }

  /** Puts aside what another machine pushed of a task, or refuses to push where the task is not ours. */
  async #giveWay(
    run: Run,
    task: string,
    { there, tip, isOurs }: { there: string; tip: string; isOurs: () => Promise<boolean> },
  ): Promise<void> {
    const repo = await this.#repo(run);
    const isOwn = there === (await readRef(repo, `${pushedOf(run)}${task}`));
    if (isOwn || (await isContained(repo, there, tip))) return;
    if (!(await isOurs())) {
      const branch = `${tasksOf(run)}${task}`.slice("refs/heads/".length);
      throw new SeamError("SEAM_CREW_BRANCH_TAKEN", { branch });
    }
    await updateRef(repo, `refs/seam/crew/kept/${run.id}/${task}/${there}`, there, undefined);
  }

  async #push(run: Run, ref: string, ...options: readonly string[]): Promise<void> {
    const { remote = "" } = run;
    const args = ["push", "--quiet", "--no-verify", ...options, remote, `${ref}:${ref}`];
    await this.#exchange(run, args);
  }

  async #exchange(run: Run, args: readonly string[]): Promise<void> {
    const repo = await this.#repo(run);
    const settings = await ownTransport(repo);
    // The user named this remote, so its transport is allowed; nobody is there to type a password.
    const env = { GIT_ALLOW_PROTOCOL: process.env.GIT_ALLOW_PROTOCOL, GIT_TERMINAL_PROMPT: "0" };
    const options = { cwd: repo.gitDir, settings, env, timeoutMs: EXCHANGE_MS };
    for (let tries = 1; ; tries++) {
      try {
        await git([...atRepo(repo), ...args], options);
        return;
      } catch (error) {
        const text = messageOf(error);
        // Several tasks bring the same branches, and whoever merges moves one of them.
        if (tries < MOST_TRIES && text.includes("cannot lock ref")) {
          await sleep(LOCKED_MS);
          continue;
        }
        const [detail = ""] = text.split("\n");
        // What opens it may stand in its address.
        const remote = run.remote?.replace(/\/\/[^/@]*@/, "//") ?? "";
        throw new SeamError("SEAM_CREW_REMOTE", { remote, detail }, { cause: error });
      }
    }
  }

  async #repo(run: Run): Promise<Repo> {
    const path = await this.pathFor(run);
    const repo = await openRepo(path);
    if (!repo) throw new SeamError("SEAM_CREW_NO_REPO", { path });
    return repo;
  }
}

/** The branches of a run's tasks, what was last seen of them at the remote, and what this machine pushed. */
const tasksOf = ({ id }: Run) => `refs/heads/seam/tasks/${id}/`;
const seenOf = ({ id }: Run) => `refs/seam/crew/${id}/`;
const pushedOf = ({ id }: Run) => `refs/seam/crew/pushed/${id}/`;

/** Installing packages can take long; what takes longer waits for something that does not come. */
const SETUP_MS = 30 * 60_000;

/** A remote that does not answer by then is tried again by the step that needs it. */
const EXCHANGE_MS = 300_000;

/** How often a branch that somebody else moves at this moment is tried again, and after what time. */
const MOST_TRIES = 20;
const LOCKED_MS = 100;
