export type * from "./api/context.ts";
export type * from "./api/extension-api.ts";
export type { From, Host, HostDialogOptions, HostSessions, RoutedModel } from "./api/host.ts";
export type * from "./api/mcp-server.ts";
export type * from "./api/models.ts";
export type * from "./api/other-sessions.ts";
export { lazySessions } from "./api/other-sessions.ts";
export type * from "./api/renderers.ts";
export type * from "./api/session.ts";
export type * from "./api/system-prompt-options.ts";
export type * from "./api/tool-context.ts";
export type {
  SourceInfo,
  ToolDefinition,
  ToolInfo,
} from "./api/tool-definition.ts";
export type * from "./api/tool-exposure.ts";
export type * from "./api/ui.ts";
export * from "./api/virtual-model.ts";
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
export { RENDER_HINTS } from "./drawing.ts";
export { keepEditorTypes, refreshEditorTypes } from "./editor-types.ts";
export type { Extension } from "./extension.ts";
export type { ExtensionSet, LoadFailure, ResolvedCommand } from "./extension-set.ts";
export { criticalIn, isCritical } from "./find/declared-critical.ts";
export { entriesAt, firstNames } from "./find/entries.ts";
export {
  type FoundExtensions,
  findAgentPackages,
  findExtensions,
  judgeProject,
} from "./find/find-extensions.ts";
export { findPackageResources } from "./find/find-packages.ts";
export { importedFiles } from "./find/imported-files.ts";
export { refuseLinksOutside } from "./find/installed-content.ts";
export { readPackage } from "./find/package-resources.ts";
export {
  isSamePackage,
  type PackageSource,
  parseSource,
  shownEntry,
  updateSource,
} from "./find/package-source.ts";
export { MOST_NAMES } from "./find/project-extensions.ts";
export { knownPath, type Scope, type Source, sourceOf } from "./find/source.ts";
export { type JudgedExtension, trust } from "./find/trust.ts";
export { headlessUI } from "./headless-ui.ts";
export { keepProcess } from "./keep-process.ts";
export { createJiti } from "./load/create-jiti.ts";
export type { WholeModules } from "./load/from-file.ts";
export { keepNativeLibraries } from "./load/keep-native-libraries.ts";
export { type InlineExtension, type LoadOptions, loadExtensions } from "./load/load-extensions.ts";
export { EventStream } from "./modules/event-stream.ts";
export { type VirtualModules, virtualModules } from "./modules/index.ts";
export { PI_VERSION } from "./modules/pi-coding-agent.ts";
export {
  folderOf,
  nameInSettings,
  type PackagePlace,
  placeOf,
  unnameInSettings,
  withPackages,
} from "./packages/added-packages.ts";
export { changedDependencies, type DependencyChange } from "./packages/dependencies.ts";
export { type FetchedPackage, fetchPackage } from "./packages/fetch-package.ts";
export { contentsOf, ownFiles, type PackageContent } from "./packages/package-content.ts";
export { describeProblem, type ExtensionProblem, type SourceLine } from "./problem.ts";
