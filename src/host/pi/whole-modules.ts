import { Marked } from "marked";
import { SeamError } from "../../errors/index.ts";
import {
  type Host,
  type ModelRegistry,
  type VirtualModules,
  virtualModules,
} from "../../extensions/index.ts";
import { Models } from "../models/index.ts";
import { compat, piAi } from "./ai/pi-ai.ts";
import { piAgentCore } from "./loop/pi-agent-core.ts";
import { piCodingAgent } from "./pi-coding-agent.ts";

/** The scopes under which Pi and its relatives are published. */
const SCOPES = ["@earendil-works", "@mariozechner", "@oh-my-pi"];

/** Pi's packages with all the names that Seam has for them, for one extension. */
export function wholeModules(host: (method: string) => Host): VirtualModules {
  const registry = modelsOf(host);
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
      renderFakeCursor,
      isViewportTUI,
    },
  };
  const modules: Record<string, object> = { ...light };
  for (const scope of SCOPES) {
    for (const [name, values] of Object.entries(whole)) modules[`${scope}/${name}`] = values;
  }
  return modules;
}

/**
 * The models of the agent an extension runs in. While it loads there is none yet, and the list is
 * the one that every agent begins with: Pi's is there from the start.
 */
function modelsOf(host: (method: string) => Host): () => ModelRegistry {
  let own: Models | undefined;
  return () => {
    try {
      return host("getModel").modelRegistry;
    } catch (thrown) {
      if (!(thrown instanceof SeamError && thrown.code === "SEAM_EXT_NOT_BOUND")) throw thrown;
      own ??= new Models();
      return own;
    }
  };
}

/** Whether a screen lays its components out by itself; Seam's draws them below each other. */
function isViewportTUI(tui: object): boolean {
  return "setLayoutRoot" in tui && typeof tui.setLayoutRoot === "function";
}

/** A character as the place of the cursor: in reverse, a blank where there is none. */
function renderFakeCursor(character = " "): string {
  return `\u001b[7m${character === "" ? " " : character}\u001b[27m`;
}
