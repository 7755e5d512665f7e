/** Typed plumbing over the program git. Nothing here touches the user's index, HEAD or work tree. */

export { type CommitFacts, commitFacts, looseCommit } from "./commits/commit-facts.ts";
export { identityOf } from "./commits/identity.ts";
export { addTrailer, commentCharOf, trailersOf } from "./commits/trailers.ts";
export { ObjectBatch } from "./object-batch.ts";
export { ObjectStore } from "./objects/object-store.ts";
export { releasePins } from "./objects/pin.ts";
export type { TreeEntry, TreeValue } from "./objects/tree-format.ts";
export { pathBytes, type RawPath, rawPath } from "./paths/raw-path.ts";
export { pathFromShown, shownPath } from "./paths/shown-path.ts";
export { brokenRef, setAsideRef } from "./refs/broken-ref.ts";
export { headOf } from "./refs/head.ts";
export { listRefs } from "./refs/list-refs.ts";
export { readRef } from "./refs/read-ref.ts";
export { type RefUpdate, updateRef } from "./refs/update-ref.ts";
export { configOf } from "./repo/config.ts";
export { inProgress } from "./repo/in-progress.ts";
export { isCollecting } from "./repo/is-collecting.ts";
export { openRepo } from "./repo/open-repo.ts";
export { ownTransport } from "./repo/own-transport.ts";
export { atRepo, type Repo } from "./repo/repo.ts";
export { withoutOneCommand } from "./run/environment.ts";
export { type GitResult, git, runGit } from "./run/run-git.ts";
export { gitProcesses } from "./run/spawn-git.ts";
export { diffTrees, type TreeDifference } from "./trees/diff-trees.ts";
export { editTree, type TreeChange } from "./trees/edit-tree.ts";
export { readTree, type TreeFile, treeValueAt, walkTree } from "./trees/read-tree.ts";
export { TreeLookup } from "./trees/tree-lookup.ts";
export {
  askForWritten,
  diskForms,
  formChanges,
  formPath,
  formsOfStored,
  withCrlf,
} from "./worktree/disk-forms.ts";
export { ignoredPaths } from "./worktree/ignored-paths.ts";
export { indexTree } from "./worktree/index-tree.ts";
export { insideCheck } from "./worktree/inside-check.ts";
export { namedPaths } from "./worktree/named-paths.ts";
export { ownFilters, rewrittenPaths, unfilteredPaths } from "./worktree/own-filters.ts";
export { ownMergeDrivers } from "./worktree/own-merge-drivers.ts";
export { scanWorkTree } from "./worktree/scan-work-tree.ts";
export { storeFiles } from "./worktree/store-files.ts";
export { workPath } from "./worktree/work-path.ts";
