import { statSync } from "node:fs";
import { agentNamed } from "../agents/index.ts";
import { headOf, openRepo, type Repo } from "../git/index.ts";
import { accept, endOfTurn } from "./accept.ts";
import { afterCommit } from "./git-hooks/after-commit.ts";
import { afterRewrite } from "./git-hooks/after-rewrite.ts";
import { installGitHooks } from "./git-hooks/install.ts";
import { recordLostCommits } from "./git-hooks/lost-commits.ts";
import { checkMessage, prepareMessage } from "./git-hooks/message.ts";
import { type GitRequest, parseGitRequest } from "./git-hooks/request.ts";
import type { Keeper, Log, SecretRemover } from "./keeper.ts";
import { isAlive } from "./process-tree.ts";
import type { HookRecord, Recorder } from "./recorder.ts";
import { openRepoRecord } from "./repo-record.ts";
import { isEnabled, seamDirOf } from "./seam-dir.ts";
import type { SessionState } from "./session/state.ts";
import { StateStore } from "./session/state-store.ts";
import { unpended } from "./session/step.ts";

export interface RecorderOptions {
  readonly version: string;
  /** One for all, or made for the folder of each work tree. */
  readonly redactor: SecretRemover | ((folder: string) => SecretRemover);
  readonly log?: Log;
  /** Whether a repository is recorded; by default those where the user said so. */
  readonly isRecorded?: (repo: Repo) => boolean;
}

/** Git hooks are answered through the recorder as well: it knows which session made a commit. */
export interface GitRecorder extends Recorder {
  /** Resolves when git may go on. */
  git(hook: string, request: GitRequest): Promise<void>;
  /** The commit a hook is about, as long as HEAD is still there; goes with it into the journal. */
  about(hook: string, request: GitRequest): Promise<string>;
  /** Ends sessions whose agents are gone without a word. */
  sweep(): Promise<void>;
}

/** The name under which git's own hooks come. */
const GIT = "git";

type GitHandler = (keeper: Keeper, repo: Repo, request: GitRequest) => Promise<void>;

const GIT_HANDLERS: Readonly<Record<string, GitHandler>> = {
  "prepare-commit-msg": prepareMessage,
  "commit-msg": checkMessage,
  "post-commit": afterCommit,
  "post-rewrite": afterRewrite,
};

/** A session without a process to look at counts as over when it was silent for this long. */
const SILENT_MS = 12 * 60 * 60 * 1000;

export function createRecorder(options: RecorderOptions): GitRecorder {
  return new RepoRecorder(options);
}

class RepoRecorder implements GitRecorder {
  readonly #options: Required<RecorderOptions>;
  /** By work tree. */
  readonly #keepers = new Map<string, Keeper>();
  /** By the folder all work trees of a repository share. */
  readonly #states = new Map<string, StateStore>();
  /** A session belongs to the repository it started in, wherever its agent goes. */
  readonly #homes = new Map<string, Repo>();
  /** One thing after the other: hooks of agents and of git change the same files. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.#options = { log: () => {}, isRecorded: isEnabled, ...options };
  }

  accept(record: HookRecord): Promise<void> {
    if (record.agent === GIT) {
      const request = parseGitRequest(record.text ?? "");
      return request ? this.git(record.hook, request) : Promise.resolve();
    }
    return this.#inTurn(`${record.agent} ${record.hook}`, async () => {
      const repo = await this.#homeOf(record);
      if (!repo) return;
      if (record.events.some((event) => event === "session_start" || event === "agent_start")) {
        await this.#keepHooks(repo);
      }
      await accept(this.#keeperOf(repo), repo, record);
    });
  }

  git(hook: string, request: GitRequest): Promise<void> {
    return this.#inTurn(`git ${hook}`, async () => {
      const handler = GIT_HANDLERS[hook];
      const repo = await openRepo(request.cwd);
      if (handler && repo && this.#options.isRecorded(repo)) {
        await handler(this.#keeperOf(repo), repo, request);
      }
    });
  }

  async about(hook: string, { cwd, input }: GitRequest): Promise<string> {
    if (hook !== "post-commit" || input.trim() !== "") return "";
    const repo = await openRepo(cwd);
    return (repo && (await headOf(repo)).commit) ?? "";
  }

  async sweep(): Promise<void> {
    for (const states of this.#states.values()) {
      for (const { agent, session_id, ...state } of states.open()) {
        if (!lostBy({ agent, session_id, ...state })) continue;
        await this.#inTurn(`end of ${session_id}`, async () => {
          // It may have come back while others were dealt with.
          const now = states.get(agent, session_id);
          const why = now && lostBy(now);
          if (why) await this.#end(states, now, why);
        });
      }
    }
    for (const keeper of [...this.#keepers.values()]) {
      const { repo } = keeper.record;
      await this.#inTurn(`Lost commits of ${repo.gitDir}`, () => recordLostCommits(keeper, repo));
    }
  }

  async #end(states: StateStore, state: SessionState, why: "process" | "age"): Promise<void> {
    const at = new Date().toISOString();
    const repo = await openRepo(state.work_tree);
    if (!repo) {
      // Its work tree was deleted, and its work with it.
      states.put({ ...unpended(state, {}), phase: "ended", ended_at: at, ended_by: why });
      return;
    }
    const keeper = this.#keeperOf(repo);
    const done = state.phase === "active" ? await endOfTurn(keeper, repo, state, { at }) : state;
    keeper.record.states.put({ ...done, phase: "ended", ended_at: at, ended_by: why });
  }

  async close(): Promise<void> {
    await this.#last;
    for (const { record } of this.#keepers.values()) await record.store.close();
    this.#keepers.clear();
  }

  /** Whatever goes wrong is said and stops nobody: neither the agent nor git, nor what comes next. */
  #inTurn(what: string, work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work).catch((error: unknown) => {
      this.#options.log("warn", `${what} could not be recorded`, error);
    });
    this.#last = done;
    return done;
  }

  async #homeOf({ agent, reading, cwd }: HookRecord): Promise<Repo | undefined> {
    if (!reading || !agentNamed(agent)) return undefined;
    const key = `${agent}\0${reading.sessionId}`;
    const known = this.#homes.get(key);
    if (known) return this.#options.isRecorded(known) ? known : undefined;
    const folder = reading.cwd ?? cwd;
    const found = folder === undefined ? undefined : await openRepo(folder);
    if (!found || !this.#options.isRecorded(found)) return undefined;
    const repo = await this.#startedIn(found, agent, reading.sessionId);
    this.#homes.set(key, repo);
    return repo;
  }

  /** An agent may have gone to another work tree before this process saw it for the first time. */
  async #startedIn(here: Repo, agent: string, sessionId: string): Promise<Repo> {
    const known = this.#keeperOf(here).record.states.get(agent, sessionId);
    if (!known || known.work_tree === here.workTree) return here;
    const there = await openRepo(known.work_tree);
    return there?.commonDir === here.commonDir ? there : here;
  }

  #keeperOf(repo: Repo): Keeper {
    const known = this.#keepers.get(repo.gitDir);
    if (known) return known;
    const { log, redactor: given, version } = this.#options;
    const folder = repo.workTree ?? repo.gitDir;
    const redactor = typeof given === "function" ? given(folder) : given;
    const states = this.#states.get(repo.commonDir) ?? new StateStore(seamDirOf(repo));
    const keeper = { record: openRepoRecord(repo, states, log), log, redactor, version };
    this.#states.set(repo.commonDir, states);
    this.#keepers.set(repo.gitDir, keeper);
    return keeper;
  }

  /** Other tools write their own hooks over everything: said, and put right. */
  async #keepHooks(repo: Repo): Promise<void> {
    try {
      const back = await installGitHooks(repo);
      if (back.length > 0) {
        this.#options.log(
          "info",
          `Git hooks put in place in ${repo.commonDir}: ${back.join(", ")}`,
        );
      }
    } catch (error) {
      this.#options.log("warn", `Git hooks of ${repo.commonDir} cannot be written`, error);
    }
  }
}

function lostBy(state: SessionState): "process" | "age" | undefined {
  const { phase, owner, last_seen_at, transcript_path } = state;
  if (phase === "ended") return undefined;
  if (owner) return isAlive(owner) ? undefined : "process";
  const lastSign = Math.max(Date.parse(last_seen_at), writtenAt(transcript_path));
  return Date.now() - lastSign > SILENT_MS ? "age" : undefined;
}

function writtenAt(path: string | undefined): number {
  try {
    return path === undefined ? 0 : statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
