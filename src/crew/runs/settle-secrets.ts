import type { Task } from "../model/run.ts";
import { beginBranchAnew } from "../workspaces/begin-branch-anew.ts";
import type { CrewContext } from "./crew-context.ts";
import { placeOf } from "./judge-work.ts";
import { isStillOurs, type Surroundings } from "./try-task.ts";

const NO_SECRETS = "they are no secrets";

const TAKE_OUT =
  "Your work has what looks like secrets. Take them out of the files, and read them from the environment instead:";

/** What a person is asked about the work of a task that has what looks like secrets. */
export function secretsQuestion({ branch, title }: Task, secrets: readonly string[]) {
  const where = `It is on the branch ${branch} of this machine and nowhere else.`;
  const next = "What is no secret can be named in the setting redaction.allow.";
  return {
    kind: "secrets",
    title: `May the work of "${title}" be merged? It has what looks like secrets.`,
    message: `${secrets.join("\n")}\n\n${where} ${next}`,
  } as const;
}

/**
 * Does what a person said: gives the work to other machines as usual, or takes its commits off the
 * branch, so that the ones without secrets are all that is ever merged. Returns what the agent is
 * told in that case, and null in the other.
 */
export async function settleSecrets(
  crew: CrewContext,
  around: Surroundings,
  secrets: readonly string[],
  answer: string,
): Promise<string | null> {
  const { run, task } = around;
  if (answer === NO_SECRETS) {
    await crew.repositories.push(run, task.branch, () => isStillOurs(crew, task));
    return null;
  }
  const pool = await crew.repositories.poolFor(run);
  const base = `refs/heads/${run.target}`;
  await beginBranchAnew(await pool.take({ ...placeOf(around), base }));
  return `${TAKE_OUT} ${secrets.join(", ")}.`;
}
