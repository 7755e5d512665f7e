export { copyBranch } from "./copy-branch.ts";
export { entryMessage, entryMessages } from "./entry-message.ts";
export { fork, forkPoint, treePoint } from "./fork.ts";
export { readSession, SessionFile } from "./session-file.ts";
export type { SessionInfo } from "./session-info.ts";
export type { SessionProblem } from "./session-problem.ts";
export { SessionStore } from "./session-store.ts";
export { SessionTree } from "./session-tree.ts";
export { commonAncestor, entriesBetween } from "./tree-walk.ts";
