export { loadAgentPackages } from "./agent-packages.ts";
export { checkClient } from "./client/check-client.ts";
export { ensureClient } from "./client/ensure-client.ts";
export {
  daemonStatus,
  forgetSession,
  lookForDaemon,
  recorded,
  reloadDaemon,
  stopDaemon,
} from "./connection.ts";
export { type DaemonPaths, daemonPaths } from "./daemon-paths.ts";
export { followEvents } from "./follow.ts";
export { type KeptAtHome, keptAtHome } from "./kept-at-home.ts";
export { launchDaemon } from "./launch.ts";
export type { LiveEvent } from "./live-events.ts";
export { Log, parseLogLine } from "./log.ts";
export {
  installService,
  isServiceInstalled,
  loginService,
  uninstallService,
} from "./login-service.ts";
export { describeMissed, missedHooks } from "./missed-hooks.ts";
export { recordSession } from "./record-session.ts";
export { RecordThread } from "./record-thread/record-thread.ts";
export { serve } from "./serve.ts";
export type { DaemonStatus } from "./status.ts";
export { unwritable } from "./unwritable.ts";
