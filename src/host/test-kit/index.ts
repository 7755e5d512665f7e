export { testProject } from "../resources/test-kit.ts";
export * from "./host.ts";
export * from "./returns.ts";
export { AGENT_EVENTS, type AgentEventName, SCENARIOS, stage } from "./scenarios.ts";
export * from "./texts.ts";
export * from "./tools.ts";
