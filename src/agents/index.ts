export { AGENT_NAMES, type AgentName, agentsFiring, firing, type Power } from "./fires.ts";
