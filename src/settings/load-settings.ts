import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { messageOf, SeamError } from "../errors/index.ts";
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
  /** What committed settings switch off: it counts for the project's own extensions only. */
  readonly projectDisabled: readonly string[];
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
  let projectDisabled: readonly string[] = [];
  for (const path of settingsFiles(cwd)) {
    const entries = Object.entries(readFile(path, problems));
    const own = entries.length > 0 && isPrivate(path);
    for (const [key, value] of entries) {
      const problem = refuse(path, key, value, own);
      if (problem) {
        problems.push(problem);
        continue;
      }
      if (key === "disabled" && !own) projectDisabled = value as string[];
      else take(settings, path, key as SettingKey, value, own);
      const weaker = key === "redaction" && !own && (value as Settings["redaction"]).allow;
      if (weaker) problems.push(notOwn(path, "redaction.allow"));
      origins.set(key as SettingKey, path);
    }
  }
  return { settings, projectDisabled, origins, problems };
}

function readFile(path: string, problems: SeamError[]): Record<string, unknown> {
  const broken = (detail: string) => {
    problems.push(new SeamError("SEAM_SETTINGS_SYNTAX", { path, detail }));
    return {};
  };
  let text: string;
  try {
    text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? {} : broken(messageOf(thrown));
  }
  if (text.trim() === "") return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split("\n").length;
    return broken(`${printParseErrorCode(first.error)} in line ${line}`);
  }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : broken("it is not an object");
}

function refuse(path: string, key: string, value: unknown, own: boolean): SeamError | undefined {
  if (!SETTING_KEYS.includes(key as SettingKey)) {
    const close = nearest(key, SETTING_KEYS);
    const hint = close ? `Did you mean "${close}"?` : "It is kept and ignored.";
    return new SeamError("SEAM_SETTINGS_UNKNOWN", { path, key, hint });
  }
  const detail = mismatch(SettingsSchema.properties[key as SettingKey], value);
  if (detail) return new SeamError("SEAM_SETTINGS_VALUE", { path, key, detail });
  if (RUNS_CODE.has(key) && !own) return new SeamError("SEAM_SETTINGS_TRACKED", { path, key });
  return undefined;
}

function notOwn(path: string, key: string): SeamError {
  const detail = "git tracks the file, and others could let secrets through with it";
  return new SeamError("SEAM_SETTINGS_VALUE", { path, key, detail });
}

/** `own`: nobody but the user wrote the file. Others cannot weaken what the user relies on. */
function take(
  settings: Settings,
  path: string,
  key: SettingKey,
  value: unknown,
  own: boolean,
): void {
  if (key === "extensions" || key === "packages") {
    const listed = (value as string[]).map((entry) => fromFile(path, entry, key));
    settings[key] = [...settings[key], ...listed];
  } else if (key === "disabled") {
    settings.disabled = value as string[];
  } else if (key === "deadlines") {
    const { deadlines } = settings;
    for (const [event, ms] of Object.entries(value as Settings["deadlines"])) {
      deadlines[event] = own ? ms : Math.max(ms, deadlines[event] ?? ms);
    }
  } else if (key === "compaction" || key === "retry") {
    // Nothing anyone relies on: it costs some tokens more or less.
    settings[key] = { ...settings[key], ...(value as object) };
  } else if (key === "maxTodoReminders") {
    settings[key] = value as number;
  } else if (key === "redaction") {
    const { patterns = [], allow = [] } = value as Settings["redaction"];
    const { redaction } = settings;
    if (patterns.length > 0) redaction.patterns = [...(redaction.patterns ?? []), ...patterns];
    if (own && allow.length > 0) redaction.allow = [...(redaction.allow ?? []), ...allow];
  } else if (key === "checkpointRemote") {
    // Others must not choose where the record is sent: a name leads where the user said it leads.
    if (own || /^[A-Za-z0-9][\w.-]*$/.test(value as string)) settings[key] = value as string;
  } else if (key === "protectSeam") {
    const isUsers = dirname(path) === seamHome();
    if (isUsers || value === "block") settings[key] = value as Settings["protectSeam"];
  } else if (key === "whenUnavailable") {
    if (own || value === "block") settings[key] = value as Settings["whenUnavailable"];
  } else {
    settings[key] = own ? (value as number) : Math.max(value as number, settings[key]);
  }
}

/** Paths count from the folder of the project, or from the user's Seam folder. Names stay names. */
function fromFile(path: string, entry: string, key: "extensions" | "packages"): string {
  if (entry.startsWith("~/")) return join(homedir(), entry.slice(2));
  const isPath = key === "extensions" || entry.startsWith(".") || entry.startsWith("/");
  if (!isPath) return entry;
  const folder = dirname(path);
  return resolve(folder === seamHome() ? folder : dirname(folder), entry);
}

/** Owned by this user and not tracked by git: nobody else wrote it. In doubt: no. */
function isPrivate(path: string): boolean {
  const real = realpathSync(path);
  if (process.getuid && statSync(real).uid !== process.getuid()) return false;
  // Inside a git hook these point to whatever repository the hook runs for.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")),
  );
  const { status } = spawnSync("git", ["ls-files", "--error-unmatch", "--", real], {
    cwd: dirname(real),
    env,
    stdio: "ignore",
  });
  // 0: tracked. 1: not tracked. Anything else: no repository, or one git does not want to look at.
  if (status === 0 || status === 1) return status === 1;
  return !insideRepository(dirname(real));
}

function insideRepository(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  const above = dirname(folder);
  return above !== folder && insideRepository(above);
}
