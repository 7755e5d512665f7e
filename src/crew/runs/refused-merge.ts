import type { Rung } from "../policy/ladder.ts";
import { bringIn } from "../workspaces/bring-in.ts";
import type { CrewContext } from "./crew-context.ts";
import { placeOf } from "./judge-work.ts";
import type { Surroundings } from "./try-task.ts";

/** Why the merge queue gave work back that was good by itself. */
export interface Refused {
  readonly reason: string;
  /** Both sides stand in files of the workspace. */
  readonly isConflict: boolean;
}

/**
 * After a merge that was refused the workspace has the target in it, with both sides where they do not
 * agree. Returns what the target was.
 */
export async function bringTarget(crew: CrewContext, around: Surroundings): Promise<string> {
  const { run } = around;
  const pool = await crew.repositories.poolFor(run);
  const base = `refs/heads/${run.target}`;
  return (await bringIn(await pool.take({ ...placeOf(around), base }), base)).commit;
}

/**
 * Adds to what is tried next what whoever tries it has to know after a merge that was refused: each rung
 * may be another session, which has not heard of it, and a person does not know the folder.
 */
export function knowing<Next extends Rung>(
  rung: Next,
  { reason, isConflict }: Refused,
  folder: string | undefined,
): Next {
  if (rung.kind === "wait") return rung;
  if (rung.kind === "person") {
    const where = isConflict && folder !== undefined ? whereToLook(folder) : undefined;
    return { ...rung, question: paragraphs(rung.question, reason, where) };
  }
  return { ...rung, extra: paragraphs(rung.extra, reason, isConflict ? BOTH_SIDES : BROUGHT) };
}

/** What is said already is not said again. */
const paragraphs = (said: string, reason: string, more: string | undefined) =>
  [said, ...(said.includes(reason) ? [] : [reason]), ...(more === undefined ? [] : [more])].join(
    "\n\n",
  );

const BROUGHT = "What the others did is now merged into your folder.";

const BOTH_SIDES = `${BROUGHT} Where it did not fit, both sides stand in the files. Make them whole, keep what both wanted, and leave no conflict marks.`;

const whereToLook = (folder: string) =>
  `Both sides stand in its folder, ${folder}. Put the files right there and answer "try again", or answer with what the agent should do.`;
