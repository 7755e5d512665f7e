export { loadSettings, settingsFiles } from "./load-settings.ts";
export { PROJECT_DIR, packageRoot, packageVersion, projectRoot, seamHome } from "./paths.ts";
export { SETTING_KEYS, SettingsSchema } from "./schema.ts";
export { workerFile } from "./worker-file.ts";
