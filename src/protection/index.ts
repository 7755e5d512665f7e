export { addAlert, alerts, clearAlerts } from "./alerts.ts";
export { byTheUser, changeByUser } from "./known-state.ts";
export { PROTECTION, type Protect, Protection } from "./protection.ts";
export { StateWatch } from "./state-watch.ts";
export { confined } from "./work/confined.ts";
export { type Grant, GrantSchema } from "./work/grant.ts";
export { judgeWork } from "./work/judge-work.ts";
export { isPeoplesCommand } from "./work/peoples-commands.ts";
export type { Call } from "./written-paths.ts";
