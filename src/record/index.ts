export { type SessionMetadata, TRAILER as CHECKPOINT_TRAILER } from "./checkpoint/metadata.ts";
export {
  type Checkpoint,
  readPrompt,
  readTranscript,
  type StoredSession,
} from "./checkpoint/read-checkpoint.ts";
export { checkpointsTip } from "./checkpoint/tip.ts";
export { clean } from "./clean/clean.ts";
export { type KeptInRepo, keptInRepo } from "./clean/kept-in-repo.ts";
export type { RepoProblem } from "./create-recorder.ts";
export {
  crewTaskIn,
  crewTaskOf,
  RUN_TRAILER,
  TASK_TRAILER,
  taskBranch,
} from "./crew-task.ts";
export { setExcluded } from "./exclude-file.ts";
export { type ForgetPlan, planForget } from "./forget/plan-forget.ts";
export { withCommit } from "./git-hooks/answer-git.ts";
export {
  type HookHealth,
  hasGitHooks,
  installGitHooks,
  passesHooksOn,
  removeGitHooks,
} from "./git-hooks/install.ts";
export { type GitRequest, parseGitRequest, writeGitRequest } from "./git-hooks/request.ts";
export { promiseCheckpoint } from "./git-hooks/reservations.ts";
export { awakeName } from "./git-hooks/script.ts";
export { latestCheckpoints, timeOf } from "./history/checkpoints.ts";
export { conversation } from "./history/conversation.ts";
export { costIn } from "./history/cost.ts";
export { checkpointsDamage } from "./history/damage.ts";
export { type Found, findCheckpoints, namesCheckpoints } from "./history/find-checkpoints.ts";
export { filesOfNoAgent, humanChanges } from "./history/human-changes.ts";
export { offBranches } from "./history/off-branches.ts";
export { subagentWork } from "./history/subagent-work.ts";
export {
  namesOfSessions,
  sessionsWithTurns,
  type Turn,
  turnNamed,
  turns,
  withCutOff,
} from "./history/turns.ts";
export { importEntire } from "./import-entire/import-entire.ts";
export {
  recordsEveryRepository,
  rememberedRepositories,
  setRecordsEveryRepository,
} from "./known-repositories.ts";
export { openRecorder } from "./open-recorder.ts";
export { merged as mergedProblems } from "./problems.ts";
export { ancestorsOf } from "./process-tree.ts";
export { type RecordStatus, recordStatus } from "./record-status.ts";
export type { HookRecord, Recorder } from "./recorder.ts";
export { findDamage } from "./repair/find-damage.ts";
export { repair } from "./repair/repair.ts";
export { openRepoRecord, type RepoRecord } from "./repo-record.ts";
export { findSessions, type ResumableSession } from "./resume/find-sessions.ts";
export { homeOfGuest, type Resumed, resume } from "./resume/resume.ts";
export { type UndoneOthers, undoneOthers } from "./rewind/others-work.ts";
export { isHeldUp, LEFT_TEXT, planRewind, type RewindPlan, rewindDiff } from "./rewind/plan.ts";
export { brokenOff, completeRewind, rewind, undoTarget } from "./rewind/rewind.ts";
export { findTarget, type RewindTarget } from "./rewind/target.ts";
export {
  enableRecord,
  isEnabled,
  isRepositoryEnabled,
  recordedWorkTrees,
  recordRefusal,
  workTrees,
} from "./seam-dir.ts";
export { redactionProblems, secretRemover } from "./secret-remover.ts";
export { readSoFar } from "./session/read-transcript.ts";
export { mayRunOn } from "./session/runs.ts";
export type { AllowedCall, BlockedCall, SessionState } from "./session/state.ts";
export { storyOf } from "./session/turn-story.ts";
export { isSecretFile } from "./snapshot/secret-file.ts";
export {
  isRecorded,
  type Stopped,
  startRecord,
  stopEveryRecord,
  stopRecord,
  stopUserRecord,
} from "./start-and-stop.ts";
export { setSyncOnPush } from "./sync/on-push.ts";
export { remoteNamed } from "./sync/remote.ts";
export { type Outgoing, sync } from "./sync/sync.ts";
export { foldersElsewhere } from "./visits.ts";
