import { headOf, openRepo, type Repo } from "../../git/index.ts";
import { ancestorsOf } from "../process-tree.ts";
import type { RecordingContext } from "../recording-context.ts";
import { afterRewrite } from "./after-rewrite.ts";
import { checkMessage, prepareMessage } from "./message.ts";
import { recordCommit } from "./record-commit.ts";
import type { GitRequest } from "./request.ts";

/** The request with the commit it is about, as long as HEAD is still there. */
export async function withCommit(request: GitRequest): Promise<GitRequest> {
  if (request.hook !== "post-commit" || request.commit !== undefined) return request;
  const repo = await openRepo(request.cwd);
  const commit = repo && (await headOf(repo)).commit;
  return commit === undefined ? request : { ...request, commit };
}

/** Does what a git hook is there for. */
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
