import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { SeamError } from "../errors/index.ts";
import { mismatch, nearest } from "../events/index.ts";
import { PROJECT_DIR, projectRoot, seamHome } from "./paths.ts";
import {
  defaultSettings,
  RUNS_CODE,
  SETTING_KEYS,
  type SettingKey,
  type Settings,
  SettingsSchema,
} from "./schema.ts";

export interface LoadedSettings {
  readonly settings: Settings;
  /** Which file each value that is not a default came from. */
  readonly origins: ReadonlyMap<SettingKey, string>;
  /** Never fatal: what could not be used, and why. */
  readonly problems: readonly SeamError[];
}

/** The files settings come from. Later ones win. */
export function settingsFiles(cwd: string): string[] {
  const project = join(projectRoot(cwd), PROJECT_DIR);
  return [
    join(seamHome(), "settings.json"),
    join(project, "settings.json"),
    join(project, "settings.local.json"),
  ];
}

export function loadSettings(cwd: string): LoadedSettings {
  const settings = defaultSettings();
  const origins = new Map<SettingKey, string>();
  const problems: SeamError[] = [];
  for (const path of settingsFiles(cwd)) {
    for (const [key, value] of Object.entries(readFile(path, problems))) {
      const problem = refuse(path, key, value);
      if (problem) {
        problems.push(problem);
        continue;
      }
      take(settings, path, key as SettingKey, value);
      origins.set(key as SettingKey, path);
    }
  }
  return { settings, origins, problems };
}

function readFile(path: string, problems: SeamError[]): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return {};
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split("\n").length;
    const detail = `${printParseErrorCode(first.error)} in line ${line}`;
    problems.push(new SeamError("SEAM_SETTINGS_SYNTAX", { path, detail }));
    return {};
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    if (text.trim() === "") return {};
    problems.push(new SeamError("SEAM_SETTINGS_SYNTAX", { path, detail: "it is not an object" }));
    return {};
  }
  return value as Record<string, unknown>;
}

function refuse(path: string, key: string, value: unknown): SeamError | undefined {
  if (!SETTING_KEYS.includes(key as SettingKey)) {
    const close = nearest(key, SETTING_KEYS);
    const hint = close ? `Did you mean "${close}"?` : "It is kept and ignored.";
    return new SeamError("SEAM_SETTINGS_UNKNOWN", { path, key, hint });
  }
  const detail = mismatch(SettingsSchema.properties[key as SettingKey], value);
  if (detail) return new SeamError("SEAM_SETTINGS_VALUE", { path, key, detail });
  if (RUNS_CODE.has(key) && !isPrivate(path)) {
    return new SeamError("SEAM_SETTINGS_TRACKED", { path, key });
  }
  return undefined;
}

function take(settings: Settings, path: string, key: SettingKey, value: unknown): void {
  const all: Record<string, unknown> = settings;
  if (key === "extensions" || key === "packages") {
    const absolute = (value as string[]).map((entry) => fromFile(path, entry));
    all[key] = [...settings[key], ...absolute];
  } else if (key === "deadlines") {
    all[key] = { ...settings[key], ...(value as object) };
  } else {
    all[key] = value;
  }
}

/** Paths count from the folder of the project, or from the user's Seam folder. Names stay names. */
function fromFile(path: string, entry: string): string {
  if (entry.startsWith("~/")) return join(process.env.HOME ?? "", entry.slice(2));
  if (!entry.startsWith(".") && !entry.startsWith("/")) return entry;
  const folder = dirname(path);
  return resolve(folder === seamHome() ? folder : dirname(folder), entry);
}

/** Owned by this user and not tracked by git: nobody else wrote it. */
function isPrivate(path: string): boolean {
  try {
    if (process.getuid && statSync(path).uid !== process.getuid()) return false;
    execFileSync("git", ["ls-files", "--error-unmatch", path], {
      cwd: dirname(path),
      stdio: "ignore",
    });
    return false;
  } catch {
    return true;
  }
}
