import { headOf, openRepo, type Repo } from "../../git/index.ts";
import { ancestorsOf, argumentsOf } from "../process-tree.ts";
import type { RecordingContext } from "../recording-context.ts";
import { afterRewrite } from "./after-rewrite.ts";
import { gitCommand } from "./git-command.ts";
import { checkMessage, prepareMessage } from "./message.ts";
import { recordCommit } from "./record-commit.ts";
import type { GitRequest } from "./request.ts";

/** The request, with the commit it is about as long as HEAD is still at that commit. */
export async function withCommit(request: GitRequest): Promise<GitRequest> {
  if (request.hook !== "post-commit" || request.commit !== undefined) return request;
  const repo = await openRepo(request.cwd);
  const commit = repo && (await headOf(repo)).commit;
  return commit === undefined ? request : { ...request, commit };
}

/**
 * Whether git waits for an answer that does not need the commit before to be recorded to its end. One
 * that is made anew has to know the checkpoint it had.
 */
export function canOvertake({ hook, pid }: GitRequest): boolean {
  if (hook === "commit-msg") return true;
  return hook === "prepare-commit-msg" && !gitCommand(argumentsOf(pid)).amends;
}

/** Handles one git hook. */
export async function answerGit(
  context: RecordingContext,
  repo: Repo,
  request: GitRequest,
): Promise<void> {
  switch (request.hook) {
    case "prepare-commit-msg":
      return prepareMessage(context, repo, request);
    case "commit-msg":
      return checkMessage(context, repo, request);
    case "post-commit": {
      const { commit, pid } = request;
      if (commit !== undefined) context.commits.hear(commit);
      return recordCommit(context, repo, { commit, makers: ancestorsOf(pid) });
    }
    case "post-rewrite":
      return afterRewrite(context, repo, request);
  }
}
