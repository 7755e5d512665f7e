export type { AgentConnection } from "./agent/interactive-options.ts";
export { openInteractive } from "./agent/open-interactive.ts";
export { attach } from "./attach/open-attach.ts";
