export { type CrewFiles, findCrewFiles } from "./files/find-crew-files.ts";
export { problemLine, type WorkflowProblem } from "./files/problem.ts";
export { anyProjectPrograms } from "./files/project-programs.ts";
export { resolveWorkflow } from "./files/resolve-workflow.ts";
export { type AskingCrewFile, askingCrewFiles } from "./files/trust.ts";
export { specOf } from "./graph/prompt.ts";
export { type LandResult, type UndoResult, undoLand } from "./merge/land-on.ts";
export type { CrewMessage } from "./messages/message.ts";
export { type CrewQuestion, QUESTION_KINDS } from "./model/crew-question.ts";
export type { Attempt, Run, Task, Use } from "./model/run.ts";
export { addUses } from "./policy/budget.ts";
export type { CheckUp } from "./runs/check-up.ts";
export type { RunReport } from "./runs/run-report.ts";
export {
  allowMore,
  answerCrew,
  cancelRun,
  checkCrews,
  cleanRun,
  followRun,
  landRun,
  listRuns,
  planRun,
  resumeRun,
  retryTask,
  showRun,
  startRun,
  talkToCrew,
  workForPools,
} from "./service/client.ts";
export { crewLeader } from "./service/crew-leader.ts";
export { startCrews } from "./service/crew-service.ts";
export { crewTools } from "./service/crew-tools.ts";
export type { FollowLine } from "./service/followers.ts";
export type { Planned } from "./service/protocol.ts";
export type { RunRequest } from "./service/requests.ts";
export { crewSettingsProblems } from "./service/settings-problems.ts";
export type { TalkRequest } from "./service/talk.ts";
