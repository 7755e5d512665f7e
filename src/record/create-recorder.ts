import { existsSync } from "node:fs";
import { agentNamed } from "../agents/index.ts";
import { inWords, SeamError } from "../errors/index.ts";
import { headOf, openRepo, type Repo } from "../git/index.ts";
import { accept, endOfTurn } from "./accept.ts";
import { ageOut } from "./clean/age-out.ts";
import { forget } from "./forget/forget.ts";
import { afterRewrite } from "./git-hooks/after-rewrite.ts";
import { installGitHooks } from "./git-hooks/install.ts";
import { recordLostCommits } from "./git-hooks/lost-commits.ts";
import { checkMessage, prepareMessage } from "./git-hooks/message.ts";
import { recordCommit } from "./git-hooks/record-commit.ts";
import type { GitRequest } from "./git-hooks/request.ts";
import { HeardCommits } from "./heard-commits.ts";
import type { Keeper, Log, SecretRemover } from "./keeper.ts";
import { NewerRecords } from "./newer-records.ts";
import { endOpenTurns } from "./open-turns.ts";
import { type Problem, Problems } from "./problems.ts";
import { ancestorsOf } from "./process-tree.ts";
import type { HookRecord, Recorder } from "./recorder.ts";
import { openRepoRecord } from "./repo-record.ts";
import { isEnabled, markRecord, seamDirOf } from "./seam-dir.ts";
import { lostBy } from "./session/lost-by.ts";
import type { SessionState } from "./session/state.ts";
import { StateStore } from "./session/state-store.ts";
import { settleReverted } from "./snapshot/settle-reverted.ts";
import type { Bounds } from "./snapshot/work-tree.ts";

export interface RecorderOptions {
  readonly version: string;
  /** One for all, or made for the folder of each work tree. */
  readonly redactor: SecretRemover | ((folder: string) => SecretRemover);
  readonly log?: Log;
  /** Whether a repository is recorded; by default those where the user said so. */
  readonly isRecorded?: (repo: Repo) => boolean | Promise<boolean>;
  /** How much of what git does not track snapshots hold, if not the usual. */
  readonly bounds?: Bounds;
  /** After so many days what is not needed any more is removed; 0: never. */
  readonly keepDays?: () => number;
}

/** Git hooks are answered through the recorder as well: it knows which session made a commit. */
export interface GitRecorder extends Recorder {
  /** Resolves when git may go on. */
  git(request: GitRequest): Promise<void>;
  /** See `withCommit`. */
  withCommit(request: GitRequest): Promise<GitRequest>;
  /** The agent goes on although the hook with this id, which started its turn, is not recorded yet. */
  overtaken(hookId: string): void;
  /** Ends sessions whose agents are gone without a word. */
  sweep(): Promise<void>;
  /** Something of an agent in a folder got lost before it could be recorded. */
  lost(folder: string, what: string): Promise<void>;
  /** Deletes a session everywhere in the repository of a folder. */
  forget(folder: string, sessionId: string): Promise<void>;
  /** What could not be recorded, as far as not even that could be written down. */
  problems(): RepoProblem[];
}

export interface RepoProblem extends Problem {
  /** The folder that all work trees of the repository share. */
  readonly repository: string;
}

const MOST_OVERTAKEN = 1_000;

/** The request with the commit it is about, as long as HEAD is still there. */
export async function withCommit(request: GitRequest): Promise<GitRequest> {
  if (request.hook !== "post-commit" || request.commit !== undefined) return request;
  const repo = await openRepo(request.cwd);
  const commit = repo && (await headOf(repo)).commit;
  return commit === undefined ? request : { ...request, commit };
}

/** Does what a git hook is there for. */
async function answerGit(keeper: Keeper, repo: Repo, request: GitRequest): Promise<void> {
  switch (request.hook) {
    case "prepare-commit-msg":
      return prepareMessage(keeper, repo, request);
    case "commit-msg":
      return checkMessage(keeper, repo, request);
    case "post-commit": {
      const { commit, pid } = request;
      if (commit !== undefined) keeper.commits.hear(commit);
      return recordCommit(keeper, repo, { commit, makers: ancestorsOf(pid) });
    }
    case "post-rewrite":
      return afterRewrite(keeper, repo, request);
  }
}

export function createRecorder(options: RecorderOptions): GitRecorder {
  return new RepoRecorder(options);
}

class RepoRecorder implements GitRecorder {
  readonly #options: RecorderOptions & Required<Pick<RecorderOptions, "log" | "isRecorded">>;
  /** By work tree. */
  readonly #keepers = new Map<string, Keeper>();
  /** By the folder all work trees of a repository share. */
  readonly #states = new Map<string, StateStore>();
  readonly #problems = new Map<string, Problems>();
  readonly #newer: NewerRecords;
  /** Ids of hooks. */
  readonly #overtaken = new Set<string>();
  /** Where each session is at work: where it started or was asked last, wherever its agent goes. */
  readonly #homes = new Map<string, Repo>();
  /** Which repository something is about is found out in the order in which it came. */
  #finding: Promise<unknown> = Promise.resolve();
  /** One thing after the other in each: hooks of agents and of git change the same files. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(options: RecorderOptions) {
    this.#options = { log: () => {}, isRecorded: isEnabled, ...options };
    this.#newer = new NewerRecords(this.#options.log);
  }

  accept(record: HookRecord): Promise<void> {
    if (record.git) return this.git(record.git);
    const find = () => this.#homeOf(record);
    return this.#inTurn(`${record.agent} ${record.hook}`, find, async (repo) => {
      const keeper = this.#keeperOf(repo);
      const opens = record.events.some((one) => one === "session_start" || one === "agent_start");
      if (opens) {
        await this.#keepHooks(repo, keeper.log);
        await this.#lookForLostCommits(keeper);
      }
      const isLate = () => record.late === true || this.#overtaken.has(record.id);
      await accept(keeper, repo, record, isLate);
      this.#overtaken.delete(record.id);
    });
  }

  git(request: GitRequest): Promise<void> {
    const find = () => this.#recordedAt(request.cwd);
    return this.#inTurn(`git ${request.hook}`, find, (repo) =>
      answerGit(this.#keeperOf(repo), repo, request),
    );
  }

  lost(folder: string, what: string): Promise<void> {
    const find = () => this.#recordedAt(folder);
    return this.#inTurn(what, find, async (repo) => this.#problemsOf(repo).note(what));
  }

  async forget(folder: string, sessionId: string): Promise<void> {
    let outcome: { error?: unknown } = {
      error: new SeamError("SEAM_RECORD_NO_REPO", { path: folder }),
    };
    await this.#inTurn(
      `The deletion of ${sessionId}`,
      () => openRepo(folder),
      async (repo) => {
        outcome = await forget(this.#keeperOf(repo).record, sessionId).then(
          () => ({}),
          (error: unknown) => ({ error }),
        );
      },
    );
    for (const key of [...this.#homes.keys()]) {
      if (key.endsWith(`\0${sessionId}`)) this.#homes.delete(key);
    }
    if (outcome.error !== undefined) throw outcome.error;
  }

  problems(): RepoProblem[] {
    const unwritten = [...this.#problems].flatMap(([repository, problems]) =>
      problems.unwritten.map((one) => ({ ...one, repository })),
    );
    const newer = [...this.#newer.problems].map(([repository, one]) => ({ ...one, repository }));
    return [...unwritten, ...newer];
  }

  withCommit(request: GitRequest): Promise<GitRequest> {
    return withCommit(request);
  }

  overtaken(hookId: string): void {
    this.#overtaken.add(hookId);
    // Those that came when their hook was recorded already are never asked for.
    const [oldest = ""] = this.#overtaken;
    if (this.#overtaken.size > MOST_OVERTAKEN) this.#overtaken.delete(oldest);
  }

  async sweep(): Promise<void> {
    for (const [commonDir, states] of [...this.#states]) {
      if (!existsSync(commonDir)) {
        await this.#forget(commonDir);
        continue;
      }
      const [first] = this.#keepersAt(commonDir);
      if (first && (await this.#newer.has(first.record.repo, true))) continue;
      for (const { agent, session_id, ...state } of states.open()) {
        if (!lostBy({ agent, session_id, ...state })) continue;
        const find = async () => this.#keepersAt(commonDir)[0]?.record.repo;
        await this.#inTurn(`The end of session ${session_id}`, find, async () => {
          // It may have come back while others were dealt with.
          const now = states.get(agent, session_id, state.worktree_id);
          const why = now && lostBy(now);
          if (why) await this.#end(states, now, why);
        });
      }
    }
    for (const keeper of [...this.#keepers.values()]) {
      const { repo, store } = keeper.record;
      const find = async () => repo;
      if (!existsSync(repo.workTree ?? repo.gitDir) || !existsSync(repo.gitDir)) {
        const rest = { ...repo, workTree: undefined };
        await this.#inTurn("The undoing of work", find, () => settleReverted(keeper, rest));
        this.#keepers.delete(repo.gitDir);
        await store.close();
        continue;
      }
      if (await this.#newer.has(repo, true)) continue;
      await this.#inTurn("The end of a turn", find, () => endOpenTurns(keeper, repo, []));
      await this.#inTurn("A commit", find, () => this.#lookForLostCommits(keeper));
      await this.#inTurn("The undoing of work", find, () => settleReverted(keeper, repo));
      const days = this.#options.keepDays?.() ?? 0;
      await this.#inTurn("What is to be removed", find, () => ageOut(keeper, days));
    }
    for (const problems of this.#problems.values()) problems.write();
  }

  async #end(states: StateStore, state: SessionState, why: "process" | "age"): Promise<void> {
    const at = new Date().toISOString();
    const repo = await openRepo(state.work_tree);
    if (!repo) {
      // Its work tree was deleted, and its files with it; what happened stays true.
      const pending = { ...state.pending, files: {} };
      states.put({ ...state, pending, phase: "ended", ended_at: at, ended_by: why });
      return;
    }
    const keeper = this.#keeperOf(repo);
    const end = { at, cutOff: why === "process" ? "agent" : "unknown" } as const;
    const done = state.phase === "active" ? await endOfTurn(keeper, repo, state, end) : state;
    keeper.record.states.put({ ...done, phase: "ended", ended_at: at, ended_by: why });
  }

  /** The repository was deleted: nothing may be written there any more. */
  async #forget(commonDir: string): Promise<void> {
    for (const { record } of this.#keepersAt(commonDir)) {
      this.#keepers.delete(record.repo.gitDir);
      await record.store.close();
    }
    for (const [key, home] of this.#homes) {
      if (home.commonDir === commonDir) this.#homes.delete(key);
    }
    this.#states.delete(commonDir);
    this.#problems.delete(commonDir);
  }

  #keepersAt(commonDir: string): Keeper[] {
    return [...this.#keepers.values()].filter(({ record }) => record.repo.commonDir === commonDir);
  }

  async close(): Promise<void> {
    await this.#finding;
    await Promise.all(this.#last.values());
    for (const { record } of this.#keepers.values()) await record.store.close();
    this.#keepers.clear();
  }

  /** Whatever goes wrong is said and stops nobody: neither the agent nor git, nor what comes next. */
  #inTurn(
    what: string,
    find: () => Promise<Repo | undefined>,
    work: (repo: Repo) => Promise<void>,
  ): Promise<void> {
    const failed = (log: Log) => (error: unknown) => {
      log("warn", `${what} could not be recorded`, error);
    };
    const done = this.#finding.then(find).then((repo) => {
      if (!repo) return;
      const key = repo.commonDir;
      const last = this.#last.get(key) ?? Promise.resolve();
      const next = last.then(() => work(repo)).catch(failed(this.#logOf(repo)));
      this.#last.set(key, next);
      void next.then(() => this.#last.get(key) === next && this.#last.delete(key));
      // In a box: whoever comes next need not wait for the work.
      return { next };
    });
    const found = done.catch(failed(this.#options.log));
    this.#finding = found;
    return found.then((box) => box?.next);
  }

  async #recordedAt(folder: string): Promise<Repo | undefined> {
    const repo = await openRepo(folder);
    return repo && (await this.#isRecorded(repo)) ? repo : undefined;
  }

  /** Whether the user asked for it, and this program understands what is there. */
  async #isRecorded(repo: Repo): Promise<boolean> {
    if (!(await this.#options.isRecorded(repo))) return false;
    return !(await this.#newer.has(repo, this.#states.has(repo.commonDir)));
  }

  /** What is not as it should be is also said where the user asks how the record is doing. */
  #logOf(repo: Repo): Log {
    const problems = this.#problemsOf(repo);
    return (level, text, error) => {
      this.#options.log(level, text, error);
      if (level !== "warn") return;
      problems.note(error === undefined ? text : `${text}: ${inWords(error)}`);
    };
  }

  #problemsOf(repo: Repo): Problems {
    const problems = this.#problems.get(repo.commonDir) ?? new Problems(seamDirOf(repo));
    this.#problems.set(repo.commonDir, problems);
    return problems;
  }

  async #homeOf(record: HookRecord): Promise<Repo | undefined> {
    const { agent, reading, cwd, events } = record;
    if (!reading || !agentNamed(agent)) return undefined;
    const key = `${agent}\0${reading.sessionId}`;
    const known = this.#homes.get(key);
    const starts = events.includes("session_start");
    const opens = starts || (events.includes("agent_start") && !reading.unasked);
    const folder = reading.cwd ?? cwd;
    const isHere = known && !opens;
    const found = isHere || folder === undefined ? undefined : await this.#recordedAt(folder);
    // A prompt from a folder that is not recorded: the agent went there, and its project did not.
    if (known && !found && !starts) return (await this.#isRecorded(known)) ? known : undefined;
    this.#homes.delete(key);
    if (!found) return undefined;
    const started = () => this.#startedIn(found, agent, reading.sessionId);
    // What cannot be read there is said where it belongs: when the hook is recorded.
    const repo = opens ? found : await started().catch(() => found);
    this.#homes.set(key, repo);
    return repo;
  }

  /** An agent may have gone to another work tree before this process saw it for the first time. */
  async #startedIn(here: Repo, agent: string, sessionId: string): Promise<Repo> {
    const known = this.#keeperOf(here).record.states.latest(agent, sessionId);
    if (!known || known.work_tree === here.workTree) return here;
    const there = await openRepo(known.work_tree);
    return there?.commonDir === here.commonDir ? there : here;
  }

  #keeperOf(repo: Repo): Keeper {
    const known = this.#keepers.get(repo.gitDir);
    if (known) return known;
    const { redactor: given, version, bounds } = this.#options;
    const log = this.#logOf(repo);
    const folder = repo.workTree ?? repo.gitDir;
    const redactor = typeof given === "function" ? given(folder) : given;
    const states = this.#states.get(repo.commonDir) ?? this.#statesOf(repo);
    const record = { ...openRepoRecord(repo, states, log, redactor), bounds };
    const keeper = { record, commits: new HeardCommits(), log, redactor, version };
    this.#states.set(repo.commonDir, states);
    this.#keepers.set(repo.gitDir, keeper);
    return keeper;
  }

  #statesOf(repo: Repo): StateStore {
    try {
      markRecord(repo);
    } catch {
      // A disk that takes nothing: what comes next says so.
    }
    return new StateStore(seamDirOf(repo));
  }

  /** Whatever kept a commit from being recorded may be over. */
  async #lookForLostCommits(keeper: Keeper): Promise<void> {
    try {
      await recordLostCommits(keeper, keeper.record.repo);
    } catch (error) {
      keeper.log("warn", "A commit could not be recorded", error);
    }
  }

  /** Other tools write their own hooks over everything: said, and put right. */
  async #keepHooks(repo: Repo, log: Log): Promise<void> {
    // Nothing is committed in a bare one.
    if (!repo.workTree) return;
    try {
      const lost: string[] = [];
      await installGitHooks(repo, (what) => lost.push(what));
      if (lost.length > 0) {
        log("warn", `Something took Seam's git hooks away (${lost.join(", ")}). They are back.`);
      }
    } catch (error) {
      log("warn", `Git hooks of ${repo.commonDir} cannot be written`, error);
    }
  }
}
