import { homedir } from "node:os";
import { join } from "node:path";
import { walls } from "../containment/walls.ts";
import { canOverlap } from "../graph/overlap.ts";
import { checkPlan } from "../graph/plan.ts";
import type { AttemptEnd, Proof } from "../model/run.ts";
import { prove } from "../proof/prove.ts";
import type { Workspace } from "../workspaces/workspace.ts";
import { setTaskState } from "./advance-run.ts";
import { type CrewContext, crewFolder, happened } from "./crew-context.ts";
import type { Refused } from "./refused-merge.ts";
import { environmentOf } from "./run-environment.ts";
import type { Surroundings, Tried } from "./try-task.ts";

/** What an attempt is worth: nothing that an agent says about itself counts. */
export type Verdict =
  | { readonly good: true }
  | {
      readonly good: false;
      readonly end: AttemptEnd;
      readonly reason: string;
      /** A person answered what it asked: the same session goes on, and nothing counts against it. */
      readonly waited?: true;
      /** A person wants the task to end. */
      readonly givenUp?: true;
      /** What the merge queue did not take, and is still to be put right. */
      readonly refused?: Refused;
    };

/** Judges what is there after an attempt, and runs the commands that prove it. */
export async function judgeWork(
  crew: CrewContext,
  around: Surroundings,
  tried: Tried,
  signal: AbortSignal,
): Promise<Verdict> {
  const { end } = tried;
  const { run, task } = around;
  const open = await openConflict(crew, around, tried);
  if (end.kind !== "finished") {
    return { good: false, end, reason: end.reason, ...(open && { refused: open }) };
  }
  const fault = faultOf(around, tried);
  if (fault !== undefined) return bad(fault, open);
  const commands = around.spec.verify;
  if (commands.length === 0) return { good: true };
  await setTaskState(crew, around.task, { state: "proving" });
  const pool = await crew.repositories.poolFor(run);
  const workspace = await pool.take({
    ...placeOf(around),
    base: `refs/heads/${run.target}`,
    signal,
  });
  const proof = await proveIn(crew, around, workspace, {
    commands,
    commit: tried.commit,
    name: task.id,
    signal,
  });
  await keepProof(crew, run.id, task.id, "task", proof);
  return proof.passed ? { good: true } : bad(failureIn(proof));
}

/** The conflict that an attempt has left as it was, whatever the reason: the next one has to know of it. */
async function openConflict(
  crew: CrewContext,
  { run, task }: Surroundings,
  { unresolved }: Tried,
): Promise<Refused | undefined> {
  if (unresolved.length === 0) return undefined;
  const refused = (await crew.store.task(run.id, task.id))?.refused;
  return refused && { reason: refused.reason, isConflict: true };
}

export const bad = (reason: string, refused?: Refused): Verdict => ({
  good: false,
  end: { kind: "failed", reason },
  reason,
  ...(refused && { refused }),
});

export const placeOf = ({ run, task, spec }: Surroundings) => ({
  run: run.id,
  task: task.id,
  branch: task.branch,
  ...(spec.sparse && { sparse: spec.sparse }),
});

/** What is wrong with the work before any command is run. */
function faultOf({ spec, role, run, task }: Surroundings, tried: Tried): string | undefined {
  const { changed, unresolved, end } = tried;
  if (unresolved.length > 0) {
    return `These files still have both sides of a conflict in them: ${unresolved.join(", ")}.`;
  }
  if (role.access === "read" && changed.length > 0) {
    return `The role ${role.name} only reads, but these files were changed: ${changed.join(", ")}.`;
  }
  const globs = spec.files?.map((glob) => glob.replaceAll("{item}", task.item ?? "*"));
  const astray = globs ? changed.filter((file) => !canOverlap([file], globs)) : [];
  if (astray.length > 0) {
    return `Only ${globs?.join(", ")} may be changed, but these files were: ${astray.join(", ")}.`;
  }
  if (end.kind !== "finished") return undefined;
  if (spec.plans)
    return checkPlan(end.result ?? end.text, run.workflow).problems.join(" ") || undefined;
  const isEmpty = end.result === undefined && end.text.trim() === "";
  if (spec.expects === "change" && changed.length === 0) {
    return ["Nothing was changed.", ...(tried.notes ?? [])].join(" ");
  }
  return spec.expects === "result" && isEmpty ? "There is no result." : undefined;
}

interface Proving {
  readonly commands: readonly string[];
  readonly commit: string;
  readonly name: string;
  readonly signal: AbortSignal;
}

/** Each proof has a folder of its own: `proof-<k>`. */
export async function proveIn(
  crew: CrewContext,
  { run }: Pick<Surroundings, "run">,
  workspace: Workspace,
  { commands, commit, name, signal }: Proving,
): Promise<Proof> {
  const count = (await crew.store.proofs(run.id)).length + 1;
  const folder = join(crewFolder(crew.home), "runs", run.id, name, `proof-${count}`);
  const { path: cwd, env } = workspace;
  const timeoutMs = crew.limits.proofMs;
  const all = { ...process.env, ...environmentOf(crew, run), ...env };
  const userHome = all.HOME ?? homedir();
  const proof = await prove(commands, {
    cwd,
    env: all,
    walls: await walls({ workspace: cwd, home: crew.home, userHome, folders: [] }),
    commit,
    folder,
    timeoutMs,
    signal,
  });
  // A command that was ended because nobody waits for it says nothing about the work.
  signal.throwIfAborted();
  return proof;
}

export async function keepProof(
  crew: CrewContext,
  run: string,
  task: string,
  place: "task" | "candidate",
  proof: Proof,
): Promise<void> {
  await crew.store.keepProof(run, { ...proof, task, place, at: new Date().toISOString() });
  const what = place === "task" ? "its own work" : "the merged candidate";
  const text = proof.passed ? `checks passed on ${what}` : failureIn(proof).split("\n")[0];
  await happened(crew, { run, task, kind: "proof", text: text ?? "" });
}

/** What failed, with the end of what it printed, for the agent that has to do something about it. */
export function failureIn({ checks }: Proof): string {
  const last = checks.at(-1);
  if (!last) return "No check was run.";
  const how = last.reason ?? `exit code ${last.exitCode}`;
  return `The check "${last.command}" failed (${how}).\n\n${last.output.trim()}`.trim();
}
