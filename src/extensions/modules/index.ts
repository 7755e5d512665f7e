import * as typebox from "typebox";
import * as typeboxCompile from "typebox/compile";
import * as typeboxValue from "typebox/value";
import * as terminal from "../../terminal/index.ts";
import type { ModelRegistry } from "../api/models.ts";
import * as authoring from "../authoring.ts";
import { piAi } from "./pi-ai.ts";
import { piCodingAgent } from "./pi-coding-agent.ts";
import { SCOPES } from "./provided.ts";

export type VirtualModules = Readonly<Record<string, object>>;

/** What an extension may import without having it installed. The same for every extension. */
const SHARED: VirtualModules = {
  typebox,
  "typebox/compile": typeboxCompile,
  "typebox/value": typeboxValue,
  "@sinclair/typebox": typebox,
  "@sinclair/typebox/compile": typeboxCompile,
  "@sinclair/typebox/compiler": typeboxCompile,
  "@sinclair/typebox/value": typeboxValue,
};

interface LightModules {
  readonly light: VirtualModules;
  readonly ai: {
    registerApiProvider(provider: { api: string }): void;
    getApiProvider(api: string): unknown;
  };
}

/**
 * The modules one extension sees as long as it needs nothing of an agent. Those that ask models reach
 * them through `registry`; `ai` is the module for asking them.
 */
export function virtualModules(registry: () => ModelRegistry): LightModules {
  const ai = piAi(registry);
  const modules: Record<string, object> = { ...SHARED, agentseam: authoring };
  for (const scope of SCOPES) {
    modules[`${scope}/pi-coding-agent`] = piCodingAgent;
    modules[`${scope}/pi-tui`] = terminal;
    modules[`${scope}/pi-ai`] = ai;
    modules[`${scope}/pi-ai/compat`] = ai;
    modules[`${scope}/pi-ai/oauth`] = {};
    modules[`${scope}/pi-agent-core`] = {};
  }
  const light: VirtualModules = modules;
  return { light, ai };
}
