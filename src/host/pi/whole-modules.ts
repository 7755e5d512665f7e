import { Marked } from "marked";
import { type Host, type VirtualModules, virtualModules } from "../../extensions/index.ts";
import { compat, piAi } from "./ai/pi-ai.ts";
import { piAgentCore } from "./loop/pi-agent-core.ts";
import { piCodingAgent } from "./pi-coding-agent.ts";

/** The scopes under which Pi and its relatives are published. */
const SCOPES = ["@earendil-works", "@mariozechner", "@oh-my-pi"];

/** Pi's packages with all the names that Seam has for them, for one extension. */
export function wholeModules(host: (method: string) => Host): VirtualModules {
  const registry = () => host("getModel").modelRegistry;
  const { light, ai: asking } = virtualModules(registry);
  const ai = { ...asking, ...piAi(registry, asking) };
  const whole: Readonly<Record<string, object>> = {
    "pi-agent-core": piAgentCore(host),
    "pi-ai": ai,
    "pi-ai/compat": { ...ai, ...compat(registry) },
    "pi-coding-agent": { ...light["@earendil-works/pi-coding-agent"], ...piCodingAgent(host) },
    "pi-tui": {
      ...light["@earendil-works/pi-tui"],
      Marked,
      getNativeClipboard: () => undefined,
      isViewportTUI,
    },
  };
  const modules: Record<string, object> = { ...light };
  for (const scope of SCOPES) {
    for (const [name, values] of Object.entries(whole)) modules[`${scope}/${name}`] = values;
  }
  return modules;
}

/** Whether a screen lays its components out by itself; Seam's draws them below each other. */
function isViewportTUI(tui: object): boolean {
  return "setLayoutRoot" in tui && typeof tui.setLayoutRoot === "function";
}
