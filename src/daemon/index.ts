export { loadAgentPackages } from "./agent-packages.ts";
export { askService } from "./ask-service.ts";
export { checkedBody } from "./checked-body.ts";
export { checkClient } from "./client/client-files.ts";
export { ensureClient } from "./client/ensure-client.ts";
export {
  daemonStatus,
  forgetSession,
  lookForDaemon,
  openConversation,
  recorded,
  reloadDaemon,
  stopDaemon,
  tellCommit,
} from "./connection.ts";
export { type DaemonPaths, daemonPaths } from "./daemon-paths.ts";
export { followEvents } from "./follow-events.ts";
export { leftWords, markDelivered, noteHeard } from "./grants/attempt-notes.ts";
export { crewMember } from "./grants/crew-member.ts";
export { grantsFolder } from "./grants/grants.ts";
export type { CrewEvent } from "./hooks/crew-events.ts";
export { jsonRoute } from "./http/json-route.ts";
export { askInbox } from "./inbox/ask-inbox.ts";
export {
  AnswerSchema,
  type InboxEvent,
  type Question,
  type RememberedFor,
  type Settled,
} from "./inbox/question.ts";
export { type Rule, Rules } from "./inbox/rules.ts";
export { type KeptAtHome, keptAtHome } from "./kept-at-home.ts";
export { launchDaemon } from "./launch.ts";
export { linesOf } from "./lines-of.ts";
export type { LiveEvent } from "./live-events.ts";
export { Log, parseLogLine } from "./log.ts";
export {
  installService,
  isServiceInstalled,
  loginService,
  uninstallService,
} from "./login-service.ts";
export { machineSessions } from "./machine-sessions.ts";
export { describeMissed, missedHooks } from "./missed-hooks.ts";
export { RING } from "./outside-walls.ts";
export type { AskRequest, InboxLine } from "./people-service.ts";
export { endsOf } from "./presence/interruptions.ts";
export type { LiveSession } from "./presence/live-session.ts";
export { watchPeople } from "./presence/watch-people.ts";
export { recordSession } from "./record-session.ts";
export { RecordThread } from "./record-thread/record-thread.ts";
export { serve } from "./serve.ts";
export type { DaemonService, ServiceSurroundings, StartService } from "./service.ts";
export type { DaemonStatus } from "./status.ts";
export { unwritable } from "./unwritable.ts";
export { userEnvironment } from "./user-environment.ts";
export type {
  AskedDialog,
  CallEnd,
  OfferedCommand,
  OfferedTool,
  Offers,
} from "./worker/protocol.ts";
