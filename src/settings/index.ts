export { builtFile } from "./built-file.ts";
export { editPackages, listedPackages } from "./edit-settings.ts";
export {
  type AskingFile,
  loadSettings,
  loadUserSettings,
  settingsFiles,
  type Trust,
} from "./load-settings.ts";
export {
  DAEMON_TITLE,
  everyRepositoryFile,
  PROJECT_DIR,
  packageRoot,
  packageVersion,
  seamHome,
} from "./paths.ts";
export { POLICIES } from "./policy.ts";
export { projectRoot } from "./project-root.ts";
export { SETTING_KEYS, type Settings, SettingsSchema } from "./schema.ts";
export {
  type Agreed,
  agree,
  agreeInPlace,
  keyOf,
  noteLenders,
  trustFault,
  trustFile,
} from "./trust/agreements.ts";
export type { FileChange } from "./trust/changes.ts";
export {
  type Content,
  copiesDir,
  copyDir,
  faultOf,
  hashOf,
  idOf,
  type Manifest,
  manifestOf,
  pathBeforeCopy,
  pathInCopy,
  readManifest,
} from "./trust/copies.ts";
export {
  agreedAround,
  agreementsOf,
  agreementTo,
  changesFrom,
  copyBehind,
  type HeldAgreement,
  heldAgreements,
  keepAgain,
  lendersToNote,
  withdraw,
} from "./trust/held-agreements.ts";
