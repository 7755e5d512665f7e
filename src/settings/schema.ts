import { type Static, Type } from "typebox";

/** All settings there are. A later file's value wins; lists of paths add up. */
export const SettingsSchema = Type.Object({
  extensions: Type.Array(Type.String(), {
    description: "Extension files or folders to load, beside those in the usual folders.",
    default: [],
  }),
  packages: Type.Array(Type.String(), {
    description: "npm packages or folders whose package.json names extensions.",
    default: [],
  }),
  disabled: Type.Array(Type.String(), {
    description: "Names of extensions that are found and not loaded.",
    default: [],
  }),
  deadlines: Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0 }), {
    description: "Milliseconds a handler may take, by event.",
    default: {},
  }),
  loadDeadlineMs: Type.Number({
    description: "Milliseconds one extension may take to load.",
    exclusiveMinimum: 0,
    default: 10_000,
  }),
});

export type Settings = Static<typeof SettingsSchema>;
export type SettingKey = keyof Settings;

export const SETTING_KEYS = Object.keys(SettingsSchema.properties) as SettingKey[];

/** Keys that make Seam run something: only from files that no one else can slip in through git. */
export const RUNS_CODE: ReadonlySet<string> = new Set<SettingKey>(["extensions", "packages"]);

export function defaultSettings(): Settings {
  return { extensions: [], packages: [], disabled: [], deadlines: {}, loadDeadlineMs: 10_000 };
}
