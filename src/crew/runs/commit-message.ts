import { addTrailer } from "../../git/index.ts";
import { CHECKPOINT_TRAILER, promiseCheckpoint } from "../../record/index.ts";
import type { Attempt } from "../model/run.ts";
import type { CommitMessage } from "../workspaces/save-work.ts";
import type { CrewContext } from "./crew-context.ts";
import type { Surroundings } from "./try-task.ts";

/**
 * What a task's commit is called for people who look at the branch, with the checkpoint of the
 * session whose work it is: the merge passes that on.
 */
export function commitMessage(
  { store }: CrewContext,
  { run, task }: Surroundings,
  attempt: Attempt,
): CommitMessage {
  const [goal] = run.goal.split("\n");
  const text = `${task.title}\n\nTask ${task.id} of the crew ${run.id}: ${goal}\n`;
  return async (repo) => {
    // Where the agent chooses the id of its session, it is known only since it began.
    const attempts = await store.attempts(run.id, task.id);
    const session = attempts.find(({ number }) => number === attempt.number)?.session;
    if (session === undefined) return text;
    const id = await promiseCheckpoint(repo, { agent: attempt.agent, session_id: session });
    return id === undefined ? text : addTrailer(text, CHECKPOINT_TRAILER, id);
  };
}
