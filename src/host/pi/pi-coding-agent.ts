import type { Host } from "../../extensions/index.ts";
import { defaultTheme } from "../../terminal/index.ts";
import { VIRTUAL_MODEL_STATE_ENTRY } from "../models/index.ts";
import { AgentSession } from "./agent/agent-session.ts";
import * as auth from "./agent/auth-storage.ts";
import { sessionMaker } from "./agent/create-agent-session.ts";
import { createExtensionRuntime, discoverAndLoadExtensions } from "./agent/loaded-extension.ts";
import * as models from "./agent/model-registry.ts";
import { runPrintMode, runRpcMode } from "./agent/print-mode.ts";
import { DefaultResourceLoader, loadProjectContextFiles } from "./agent/resource-loader.ts";
import { RpcClient } from "./agent/rpc-client.ts";
import * as services from "./agent/session-services.ts";
import * as dialogs from "./components/dialogs.ts";
import { FooterComponent } from "./components/footer.ts";
import * as messages from "./components/messages.ts";
import * as selectors from "./components/selectors.ts";
import { ToolExecutionComponent } from "./components/tool-execution.ts";
import * as entries from "./sessions/session-entries.ts";
import { SessionManager } from "./sessions/session-manager.ts";
import { SettingsManager } from "./settings/settings-manager.ts";
import { copyToClipboard } from "./utilities/clipboard.ts";
import * as compaction from "./utilities/compaction.ts";
import * as diffs from "./utilities/diffs.ts";
import { createEventBus } from "./utilities/event-bus.ts";
import { getLanguageFromPath, highlightCode } from "./utilities/highlight.ts";
import * as images from "./utilities/images.ts";
import { parseArgs } from "./utilities/parse-args.ts";
import * as places from "./utilities/places.ts";
import { hasTrustRequiringProjectResources, ProjectTrustStore } from "./utilities/project-trust.ts";
import * as shell from "./utilities/shell.ts";
import * as skills from "./utilities/skills.ts";

/** What `pi-coding-agent` has beyond what needs no agent. */
export function piCodingAgent(host: (method: string) => Host): object {
  const createAgentSession = sessionMaker(host);
  const { fromServices, ...runtime } = services;
  const { summaries, ...measures } = compaction;
  return {
    ...auth,
    ...diffs,
    ...dialogs,
    ...entries,
    ...images,
    ...measures,
    ...messages,
    ...models,
    ...places,
    ...runtime,
    ...selectors,
    ...shell,
    ...skills,
    ...summaries(host),
    AgentSession,
    DefaultResourceLoader,
    FooterComponent,
    ProjectTrustStore,
    RpcClient,
    SessionManager,
    SettingsManager,
    ToolExecutionComponent,
    VIRTUAL_MODEL_STATE_ENTRY,
    copyToClipboard,
    createAgentSession,
    createAgentSessionFromServices: fromServices(createAgentSession),
    createEventBus,
    createExtensionRuntime,
    createPowerShellToolDefinition: shell.createPowerShellTool,
    discoverAndLoadExtensions,
    getLanguageFromPath,
    hasTrustRequiringProjectResources,
    highlightCode,
    /** Colours are there from the start: nothing has to be set up. Returns the theme in use. */
    initTheme: (_name?: string, _watch?: boolean) => defaultTheme(),
    loadProjectContextFiles,
    parseArgs,
    runPrintMode,
    runRpcMode,
  };
}
