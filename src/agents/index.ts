export { AGENT_NAMES, agentsFiring, firing } from "./fires.ts";
