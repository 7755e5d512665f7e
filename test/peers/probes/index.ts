import { CODING_AGENT } from "./coding-agent.ts";
import { COMPONENTS } from "./components.ts";
import { FUNCTIONS } from "./functions.ts";
import { HOST } from "./host.ts";
import type { Probes } from "./kit.ts";
import { AGENT_CORE } from "./pi-agent-core.ts";
import { AI } from "./pi-ai.ts";
import { TUI } from "./pi-tui.ts";

/** How every value of Pi's modules is used once. */
export const ALL: Readonly<Record<string, Probes>> = {
  "pi-coding-agent": { ...FUNCTIONS["pi-coding-agent"], ...COMPONENTS, ...CODING_AGENT, ...HOST },
  "pi-ai": { ...FUNCTIONS["pi-ai"], ...AI },
  "pi-ai/compat": { ...FUNCTIONS["pi-ai"], ...AI },
  "pi-agent-core": { ...FUNCTIONS["pi-agent-core"], ...AGENT_CORE },
  "pi-tui": { ...FUNCTIONS["pi-tui"], ...TUI },
};
