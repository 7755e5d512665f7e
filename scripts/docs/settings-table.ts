import { SETTING_KEYS, SettingsSchema } from "../../src/settings/index.ts";
import { code, table } from "./markdown.ts";
import { type Schema, typeText } from "./type-text.ts";

export function settingsTable(): readonly string[] {
  const rows = SETTING_KEYS.map((key) => {
    const schema: Schema = SettingsSchema.properties[key];
    const { description = "", default: standard } = schema;
    return [code(key), code(typeText(schema)), code(JSON.stringify(standard)), description];
  });
  return table(["setting", "type", "default", ""], rows);
}
