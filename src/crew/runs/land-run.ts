import { messageOf, SeamError } from "../../errors/index.ts";
import { headOf, openRepo, readRef } from "../../git/index.ts";
import { checkoutState } from "../containment/checkout-state.ts";
import { type LandResult, landOn } from "../merge/land-on.ts";
import type { Run } from "../model/run.ts";
import { bringMerged } from "./bring-merged.ts";
import { type CrewContext, happened } from "./crew-context.ts";
import { atWork, explainCheckout } from "./users-checkout.ts";

/** Brings what was merged in a run to a branch of the user's: to the one that is checked out unless one is named. */
export async function landRun(crew: CrewContext, run: Run, branch?: string): Promise<LandResult> {
  const repo = await openRepo(run.repository);
  if (!repo) throw new SeamError("SEAM_CREW_NO_REPO", { path: run.repository });
  const onto = branch ?? (await headOf(repo)).branch;
  if (onto === undefined) {
    const hint = `Say which: seam crew land ${run.id} <branch>`;
    throw new SeamError("SEAM_CREW_STATE", { detail: "no branch is checked out", hint });
  }
  await bringMerged(crew, run);
  if ((await readRef(repo, `refs/heads/${run.target}`)) === run.base) {
    const hint = `See how far it is: seam crew show ${run.id}`;
    throw new SeamError("SEAM_CREW_STATE", { detail: "nothing was merged in this run", hint });
  }
  const isSeen = (await atWork(crew, run.repository)).length > 0;
  const before = isSeen ? await checkoutState(run.repository) : undefined;
  const result = await landOn(run.repository, run.target, onto);
  const after = before && (await checkoutState(run.repository));
  if (before && after) await explainCheckout(crew, run.repository, before, after);
  await happened(crew, { run: run.id, kind: "merge", text: landingText(result, onto) });
  return result;
}

function landingText(result: LandResult, onto: string): string {
  if (result.kind === "landed") return `landed on ${onto}`;
  if (result.kind === "contained") return `${onto} had all of it already`;
  return `not landed on ${onto}: ${whyNot(result)}`;
}

const whyNot = (result: Extract<LandResult, { kind: "conflict" | "held" }>) =>
  result.kind === "held" ? result.reason : `there are conflicts in ${result.files.join(", ")}.`;

/**
 * Lands a run that is done where its user wanted that of every run. To do it again after a crash does
 * nothing. Where it cannot be done the run is done all the same, and its reason says why.
 */
export async function landByItself(
  crew: CrewContext,
  run: Run,
): Promise<Pick<Run, "landed" | "reason">> {
  const { landsOn: onto } = run;
  if (onto === undefined) return {};
  const tasks = await crew.store.tasks(run.id);
  if (!tasks.some(({ mergedAs }) => mergedAs !== undefined)) return {};
  const left = (why: string) => ({
    reason: `What was merged is not on ${onto}: ${why} See seam crew land ${run.id} ${onto}`,
  });
  try {
    const result = await landRun(crew, run, onto);
    const isThere = result.kind === "landed" || result.kind === "contained";
    return isThere ? { landed: true } : left(whyNot(result));
  } catch (error) {
    return left(messageOf(error));
  }
}
