import { setTimeout as sleep } from "node:timers/promises";
import { specOf } from "../graph/prompt.ts";
import type { OtherSide } from "../merge/candidate.ts";
import { type MergeOutcome, mergeTasks } from "../merge/merge-tasks.ts";
import type { MergeRefusal, Proof, Run, Task } from "../model/run.ts";
import { type CrewContext, happened } from "./crew-context.ts";
import { failureIn, keepProof, proveIn } from "./judge-work.ts";

/** One machine merges into one target at a time; whoever was killed while it did has lost it by then. */
const LOCK_MS = 30_000;
const LOOK_MS = 50;

/** What became of a task in the merge queue. */
export type Merged =
  | { readonly kind: "landed"; readonly as: string }
  | { readonly kind: "refused"; readonly reason: string; readonly files: readonly string[] };

/**
 * Merges what waits for the target of a run, the given task among it. Whoever comes first takes all
 * that wait with it, so that they are proved together; the others find what became of theirs.
 */
export async function mergeWork(
  crew: CrewContext,
  run: Run,
  taskId: string,
  signal: AbortSignal,
): Promise<Merged> {
  const name = `merge:${run.id}`;
  const owner = `${crew.worker} ${taskId}`;
  while (!(await crew.store.takeLock(name, owner, LOCK_MS))) {
    signal.throwIfAborted();
    const settled = await settledFor(crew, run.id, taskId);
    if (settled) return settled;
    await sleep(LOOK_MS, undefined, { signal });
  }
  const keep = setInterval(() => void crew.store.takeLock(name, owner, LOCK_MS), LOCK_MS / 3);
  try {
    const settled = await settledFor(crew, run.id, taskId);
    if (settled) return settled;
    await mergeAll(crew, run, signal);
    const merged = await settledFor(crew, run.id, taskId);
    if (!merged) throw new Error(`the merge queue said nothing about ${taskId}`);
    return merged;
  } finally {
    clearInterval(keep);
    await crew.store.releaseLock(name, owner);
  }
}

async function settledFor(crew: CrewContext, run: string, id: string): Promise<Merged | undefined> {
  const task = await crew.store.task(run, id);
  if (task?.mergedAs !== undefined) return { kind: "landed", as: task.mergedAs };
  const refused = task?.refused;
  if (refused === undefined || refused.commit !== task?.commit) return undefined;
  return { kind: "refused", reason: refused.reason, files: refused.files };
}

async function mergeAll(crew: CrewContext, run: Run, signal: AbortSignal): Promise<void> {
  await crew.repositories.fetch(run);
  const repository = await crew.repositories.pathFor(run);
  const tasks = await crew.store.tasks(run.id);
  const waiting = tasks.flatMap(({ id, state, commit, title, mergedAs, refused }) =>
    state === "merging" &&
    commit !== undefined &&
    mergedAs === undefined &&
    refused?.commit !== commit
      ? [{ task: id, commit, title }]
      : [],
  );
  const outcome = await mergeTasks({
    repository,
    run: run.id,
    target: run.target,
    base: run.base,
    tasks: waiting,
    prove: (commit) => proveCandidate(crew, run, tasks, waiting, commit, signal),
  });
  await crew.repositories.push(run, run.target);
  const commits = new Map(waiting.map(({ task, commit }) => [task, commit]));
  await storeOutcome(crew, run, outcome, commits);
}

/** Runs the workflow's commands and those of the tasks on what the target would become. */
async function proveCandidate(
  crew: CrewContext,
  run: Run,
  tasks: readonly Task[],
  waiting: readonly { readonly task: string }[],
  commit: string,
  signal: AbortSignal,
): Promise<Proof> {
  const own = waiting.flatMap(({ task: id }) => {
    const task = tasks.find((one) => one.id === id);
    return (task && specOf(run.workflow, task, tasks)?.verify) ?? [];
  });
  const commands = [...new Set([...run.workflow.verify, ...own])];
  if (commands.length === 0) return { passed: true, commit, checks: [] };
  const pool = await crew.repositories.poolFor(run);
  const workspace = await pool.take({ run: run.id, task: "(candidate)", base: commit, signal });
  try {
    const name = waiting[0]?.task ?? "merge";
    const proof = await proveIn(crew, { run }, workspace, { commands, commit, name, signal });
    await keepProof(crew, run.id, name, "candidate", proof);
    return proof;
  } finally {
    await pool.release(workspace);
  }
}

async function storeOutcome(
  crew: CrewContext,
  run: Run,
  { landed, conflicts, red }: MergeOutcome,
  commits: ReadonlyMap<string, string>,
): Promise<void> {
  const tell = (task: string, text: string) =>
    happened(crew, { run: run.id, task, kind: "merge", text });
  for (const { task, mergedAs } of landed) {
    await crew.store.changeTask(run.id, task, (now) => ({ ...now, mergedAs }));
    await tell(task, `merged into ${run.target} as ${mergedAs.slice(0, 10)}`);
  }
  const refuse = async (task: string, refusal: Omit<MergeRefusal, "commit">) => {
    const refused = { ...refusal, commit: commits.get(task) ?? "" };
    await crew.store.changeTask(run.id, task, (now) => ({ ...now, refused }));
    await tell(task, refusal.reason.split("\n")[0] ?? "");
  };
  for (const { task, files, with: others } of conflicts) {
    const names = others.map(nameOf).join(", ");
    const whom = others.length > 0 ? ` (${names} changed them too)` : "";
    const reason = `It does not fit what was merged meanwhile: there are conflicts in ${files.join(", ")}${whom}.`;
    await refuse(task, { kind: "conflict", files, reason });
  }
  for (const { task, proof } of red) {
    await refuse(task, { kind: "red", files: [], reason: failureIn(proof) });
  }
}

/** Who changed the same files: a task of the run, or somebody's commit. */
const nameOf = ({ task, commit, subject }: OtherSide) =>
  task === undefined ? `the commit ${commit.slice(0, 10)} "${subject}"` : `the task ${task}`;
