export type * from "./api/context.ts";
export type * from "./api/extension-api.ts";
export type { From, Host, HostDialogOptions, HostSessions } from "./api/host.ts";
export type * from "./api/models.ts";
export type * from "./api/other-sessions.ts";
export type * from "./api/session.ts";
export type {
  SourceInfo,
  ToolDefinition,
  ToolInfo,
} from "./api/tool-definition.ts";
export type * from "./api/ui.ts";
export {
  createAssistantMessageEventStream,
  defineTool,
  parseFrontmatter,
  stripFrontmatter,
} from "./authoring.ts";
export { checkExtensions, type ExtensionReport } from "./check/check-extensions.ts";
export { checkInThread } from "./check/check-in-thread.ts";
export { prove } from "./check/prove.ts";
export { commandsOf } from "./create-api.ts";
export { type AskDialog, type Dialog, dialogs } from "./dialogs.ts";
export { keepEditorTypes, refreshEditorTypes } from "./editor-types.ts";
export type { Extension } from "./extension.ts";
export type { ExtensionSet, LoadFailure, ResolvedCommand } from "./extension-set.ts";
export { criticalIn, isCritical } from "./find/declared-critical.ts";
export { entriesAt } from "./find/entries.ts";
export {
  type FoundExtensions,
  findAgentPackages,
  findExtensions,
  judgeProject,
} from "./find/find-extensions.ts";
export { importedFiles } from "./find/imported-files.ts";
export { knownPath, type Scope, type Source, sourceOf } from "./find/source.ts";
export { type JudgedExtension, trust } from "./find/trust.ts";
export { headlessUI } from "./headless-ui.ts";
export { createJiti } from "./load/create-jiti.ts";
export type { WholeModules } from "./load/from-file.ts";
export { type InlineExtension, type LoadOptions, loadExtensions } from "./load/load-extensions.ts";
export { EventStream } from "./modules/event-stream.ts";
export { type VirtualModules, virtualModules } from "./modules/index.ts";
export { describeProblem, type ExtensionProblem, type SourceLine } from "./problem.ts";
