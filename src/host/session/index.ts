export { buildContext, type SessionContext } from "./build-context.ts";
export { copyBranch } from "./copy-branch.ts";
export { type ForkOptions, fork, forkPoint } from "./fork.ts";
export {
  type CreateSessionOptions,
  type OpenSessionOptions,
  readSession,
  SessionFile,
} from "./session-file.ts";
export type { SessionInfo } from "./session-info.ts";
export { sessionDir, sessionsRoot } from "./session-path.ts";
export type { SessionProblem } from "./session-problem.ts";
export { SessionStore } from "./session-store.ts";
export { SessionTree, type SessionTreeOptions } from "./session-tree.ts";
export { commonAncestor, entriesBetween } from "./tree-walk.ts";
