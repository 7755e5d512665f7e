export { type LoadedSettings, loadSettings, settingsFiles } from "./load-settings.ts";
export { PROJECT_DIR, packageRoot, projectRoot, seamHome } from "./paths.ts";
export { SETTING_KEYS, type SettingKey, type Settings, SettingsSchema } from "./schema.ts";
