import { existsSync } from "node:fs";
import { inWords, SeamError } from "../errors/index.ts";
import { openRepo, type Repo } from "../git/index.ts";
import { accept, endOfTurn } from "./accept-hook.ts";
import { ageOut } from "./clean/clean.ts";
import { forget } from "./forget/forget.ts";
import { answerGit, canOvertake, withCommit } from "./git-hooks/answer-git.ts";
import { installGitHooks } from "./git-hooks/install.ts";
import type { GitRequest } from "./git-hooks/request.ts";
import { recordLostCommits } from "./git-hooks/unheard-commits.ts";
import { HeardCommits } from "./heard-commits.ts";
import { Lane } from "./lane.ts";
import { NewerRecords } from "./newer-records.ts";
import { endOpenTurns } from "./open-turns.ts";
import { type RecordProblem, RecordProblems } from "./problems.ts";
import type { HookRecord, Recorder } from "./recorder.ts";
import type { Log, RecordingContext, SecretRemover } from "./recording-context.ts";
import { openRepoRecord } from "./repo-record.ts";
import { isEnabled, markRecord, seamDirOf } from "./seam-dir.ts";
import { lostBy } from "./session/lost-by.ts";
import type { SessionState } from "./session/state.ts";
import { StateStore } from "./session/state-store.ts";
import { SessionHomes } from "./session-homes.ts";
import { settleReverted } from "./snapshot/settle-reverted.ts";
import type { Bounds } from "./snapshot/work-tree.ts";
import { Visits } from "./visits.ts";

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
  /** Ends sessions whose agents are gone without a word, before somebody else's work is taken for theirs. */
  endGone(): Promise<void>;
  /** The same, and all else that is due from time to time. */
  sweep(): Promise<void>;
  /** Something of an agent in a folder got lost before it could be recorded. */
  lost(folder: string, what: string): Promise<void>;
  /** Deletes a session everywhere in the repository of a folder. */
  forget(folder: string, sessionId: string): Promise<void>;
  /** What could not be recorded, as far as not even that could be written down. */
  problems(): RepoProblem[];
}

export interface RepoProblem extends RecordProblem {
  /** The folder that all work trees of the repository share. */
  readonly repository: string;
}

const MOST_OVERTAKEN = 1_000;

/** One session in one work tree. */
function keyOf({ agent, session_id, worktree_id }: SessionState): string {
  return [agent, session_id, worktree_id].join("\0");
}

/** Whether a work tree has another name by now. */
function isRenamed({ workTree: before }: Repo, { workTree: now }: Repo): boolean {
  return before !== now && before !== undefined && !existsSync(before);
}

export function createRecorder(options: RecorderOptions): GitRecorder {
  return new RepoRecorder(options);
}

class RepoRecorder implements GitRecorder {
  readonly #options: RecorderOptions & Required<Pick<RecorderOptions, "log" | "isRecorded">>;
  /** By work tree. */
  readonly #contexts = new Map<string, RecordingContext>();
  /** By the folder all work trees of a repository share. */
  readonly #states = new Map<string, StateStore>();
  readonly #problems = new Map<string, RecordProblems>();
  readonly #newer: NewerRecords;
  /** Ids of hooks. */
  readonly #overtaken = new Set<string>();
  readonly #homes = new SessionHomes({
    recordedAt: (folder) => this.#recordedAt(folder),
    isRecorded: (repo) => this.#isRecorded(repo),
    statesOf: (repo) => this.#contextOf(repo).record.states,
  });
  readonly #visits = new Visits((folder) => this.#recordedAt(folder));
  /** Which repository something is about is found out in the order in which it came. */
  #finding: Promise<unknown> = Promise.resolve();
  /** By the folder all work trees of a repository share; only where something is to be done. */
  readonly #lanes = new Map<string, Lane>();

  constructor(options: RecorderOptions) {
    this.#options = { log: () => {}, isRecorded: isEnabled, ...options };
    this.#newer = new NewerRecords(this.#options.log);
  }

  accept(record: HookRecord): Promise<void> {
    if (record.git) return this.git(record.git);
    if (record.visiting) return this.#visit(record);
    return this.#atHome(record).then(() => this.#visit(record));
  }

  #atHome(record: HookRecord): Promise<void> {
    const find = () => this.#homes.of(record);
    return this.#inTurn(`${record.agent} ${record.hook}`, find, async (repo) => {
      const context = this.#contextOf(repo);
      const opens = record.events.some((one) => one === "session_start" || one === "agent_start");
      if (opens) {
        await this.#keepHooks(repo, context.log);
        await this.#lookForLostCommits(context);
      }
      const isLate = () => record.late === true || this.#overtaken.has(record.id);
      await accept(context, repo, record, { isLate });
      this.#overtaken.delete(record.id);
    });
  }

  /** Records a hook in the other repositories where its session works. */
  async #visit(record: HookRecord): Promise<void> {
    await this.#finding;
    const { agent, reading } = record;
    const home = reading && this.#homes.known(agent, reading.sessionId);
    if (!home) return;
    // What it was asked is known once its prompt is recorded.
    await this.#lanes.get(home.commonDir)?.settled;
    const { states } = this.#contextOf(home).record;
    const state = states.get(agent, reading.sessionId, home.worktreeId);
    for (const visit of state ? await this.#visits.of(record, home, state) : []) {
      const find = async () => visit.repo;
      await this.#inTurn(`${agent} ${record.hook}`, find, async (repo) => {
        const context = this.#contextOf(repo);
        if (visit.isFirst) await this.#keepHooks(repo, context.log);
        await accept(context, repo, visit.record, visit);
      });
    }
  }

  git(request: GitRequest): Promise<void> {
    const find = () => this.#recordedAt(request.cwd);
    const answer = (repo: Repo) => answerGit(this.#contextOf(repo), repo, request);
    return this.#inTurn(`git ${request.hook}`, find, answer, { hurry: canOvertake(request) });
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
        outcome = await forget(this.#contextOf(repo).record, sessionId).then(
          () => ({}),
          (error: unknown) => ({ error }),
        );
      },
    );
    this.#homes.forgetSession(sessionId);
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
    await this.endGone();
    for (const context of [...this.#contexts.values()]) await this.#tidy(context);
    for (const problems of this.#problems.values()) problems.write();
  }

  async endGone(): Promise<void> {
    for (const [commonDir, states] of [...this.#states]) {
      if (!existsSync(commonDir)) {
        await this.#forget(commonDir);
        continue;
      }
      const [first] = this.#contextsAt(commonDir);
      if (first && (await this.#newer.has(first.record.repo, true))) continue;
      for (const { agent, session_id, ...state } of states.open()) {
        if (!lostBy({ agent, session_id, ...state })) continue;
        const find = async () => this.#contextsAt(commonDir)[0]?.record.repo;
        await this.#inTurn(`The end of session ${session_id}`, find, async () => {
          // It may have come back while others were dealt with.
          const now = states.get(agent, session_id, state.worktree_id);
          const why = now && lostBy(now);
          if (why) await this.#end(states, now, why);
        });
      }
    }
  }

  /** What is due in a work tree, however long nothing happened in it. */
  async #tidy(context: RecordingContext): Promise<void> {
    const { repo, store } = context.record;
    const find = async () => repo;
    if (!existsSync(repo.workTree ?? repo.gitDir) || !existsSync(repo.gitDir)) {
      const rest = { ...repo, workTree: undefined };
      await this.#inTurn("The undoing of work", find, () => settleReverted(context, rest));
      this.#contexts.delete(repo.gitDir);
      await store.close();
      return;
    }
    if (await this.#newer.has(repo, true)) return;
    await this.#inTurn("The end of a turn", find, () => endOpenTurns(context, repo, []));
    await this.#inTurn("A commit", find, () => this.#lookForLostCommits(context));
    await this.#inTurn("The undoing of work", find, () => settleReverted(context, repo));
    const days = this.#options.keepDays?.() ?? 0;
    await this.#inTurn("What is to be removed", find, () => ageOut(context, days));
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
    const context = this.#contextOf(repo);
    const end = { at, cutOff: why === "process" ? "agent" : "unknown" } as const;
    const done = state.phase === "active" ? await endOfTurn(context, repo, state, end) : state;
    context.record.states.put({ ...done, phase: "ended", ended_at: at, ended_by: why });
  }

  /** The repository was deleted: nothing may be written there any more. */
  async #forget(commonDir: string): Promise<void> {
    for (const { record } of this.#contextsAt(commonDir)) {
      this.#contexts.delete(record.repo.gitDir);
      await record.store.close();
    }
    this.#homes.forgetRepository(commonDir);
    this.#states.delete(commonDir);
    this.#problems.delete(commonDir);
  }

  #contextsAt(commonDir: string): RecordingContext[] {
    return [...this.#contexts.values()].filter(({ record }) => record.repo.commonDir === commonDir);
  }

  async close(): Promise<void> {
    await this.#finding;
    await Promise.all([...this.#lanes.values()].map((lane) => lane.settled));
    for (const { record } of this.#contexts.values()) await record.store.close();
    this.#contexts.clear();
  }

  /** Whatever goes wrong is said and stops nobody: neither the agent nor git, nor what comes next. */
  #inTurn(
    what: string,
    find: () => Promise<Repo | undefined>,
    work: (repo: Repo) => Promise<void>,
    { hurry = false } = {},
  ): Promise<void> {
    const failed = (log: Log) => (error: unknown) => {
      log("warn", `${what} could not be recorded`, error);
    };
    const done = this.#finding.then(find).then((repo) => {
      if (!repo) return;
      const lane = this.#laneOf(repo);
      const safely = () => work(repo).catch(failed(this.#logOf(repo)));
      const next = hurry ? lane.hurry(safely) : lane.run(safely);
      void lane.settled.then(() => {
        if (lane.isEmpty && this.#lanes.get(repo.commonDir) === lane) {
          this.#lanes.delete(repo.commonDir);
        }
      });
      // In a box: whoever comes next need not wait for the work.
      return { next };
    });
    const found = done.catch(failed(this.#options.log));
    this.#finding = found;
    return found.then((box) => box?.next);
  }

  #laneOf({ commonDir }: Repo): Lane {
    const lane = this.#lanes.get(commonDir) ?? new Lane();
    this.#lanes.set(commonDir, lane);
    return lane;
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

  #problemsOf(repo: Repo): RecordProblems {
    const problems = this.#problems.get(repo.commonDir) ?? new RecordProblems(seamDirOf(repo));
    this.#problems.set(repo.commonDir, problems);
    return problems;
  }

  #contextOf(repo: Repo): RecordingContext {
    const known = this.#contexts.get(repo.gitDir);
    if (known && !isRenamed(known.record.repo, repo)) return known;
    if (known) void this.#laneOf(repo).settled.then(() => known.record.store.close());
    const { redactor: given, version, bounds } = this.#options;
    const log = this.#logOf(repo);
    const folder = repo.workTree ?? repo.gitDir;
    const redactor = typeof given === "function" ? given(folder) : given;
    const states = this.#states.get(repo.commonDir) ?? this.#statesOf(repo);
    const record = { ...openRepoRecord(repo, states, log, redactor), bounds };
    const context: RecordingContext = {
      ...{ record, commits: known?.commits ?? new HeardCommits(), log, redactor, version },
      aside: (sessions, work) => this.#laneOf(repo).aside(sessions.map(keyOf), work),
      isAside: (session) => this.#laneOf(repo).isAside(keyOf(session)),
    };
    this.#states.set(repo.commonDir, states);
    this.#contexts.set(repo.gitDir, context);
    try {
      states.follow(repo);
    } catch (error) {
      log("warn", `Sessions of ${folder} could not be looked through`, error);
    }
    return context;
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
  async #lookForLostCommits(context: RecordingContext): Promise<void> {
    try {
      await recordLostCommits(context, context.record.repo);
    } catch (error) {
      context.log("warn", "A commit could not be recorded", error);
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
