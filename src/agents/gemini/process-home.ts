import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { isRecord } from "../../values/index.ts";
import type { HeadlessCommand, HeadlessTask } from "../headless/headless.ts";
import type { InstallPlan } from "../install/installer.ts";
import { configDir, installer, mcp } from "./install.ts";

const FOLDER = "gemini-home";
const SETTINGS = "settings.json";

/** What it keeps beside its settings: sessions have to be where they are for all processes. */
const KEPT = ["tmp", "history"];

/**
 * Gemini CLI has no flag for settings, and reads system files only if root owns them. So the process
 * gets a folder of its own for the user's: a copy of the settings with Seam's hooks in it, and links
 * to everything else the user has there.
 */
export function processHome(
  task: HeadlessTask,
  excluded: readonly string[],
): Pick<HeadlessCommand, "env" | "files" | "links"> {
  const { hooks, server, place, folder } = task;
  if (!hooks && !server && excluded.length === 0) return {};
  const own = configDir(place);
  const names = new Set([...namesIn(own), ...KEPT]);
  names.delete(SETTINGS);
  const links = [...names].map((name) => [join(FOLDER, ".gemini", name), join(own, name)]);
  return {
    env: { GEMINI_CLI_HOME: join(folder, FOLDER) },
    files: { [join(FOLDER, ".gemini", SETTINGS)]: settingsFor(task, excluded) },
    links: Object.fromEntries(links),
  };
}

/** The user's settings with what this process gets in addition. */
function settingsFor({ hooks, server, place }: HeadlessTask, excluded: readonly string[]): string {
  const plan: InstallPlan = {
    level: "user",
    place,
    command: hooks?.command ?? (() => ""),
    server: server ?? [],
  };
  const [withHooks] = hooks ? installer.install(plan) : [];
  const now = new Map(withHooks ? [[withHooks.path, withHooks.after]] : []);
  const [withServer] = server ? mcp.install({ ...plan, now }) : [];
  const text = (withServer ?? withHooks)?.after?.toString() ?? "{}";
  return excluded.length === 0 ? text : withoutTools(text, excluded);
}

function withoutTools(text: string, excluded: readonly string[]): string {
  const settings: unknown = parse(text);
  if (!isRecord(settings)) return text;
  const tools = isRecord(settings.tools) ? settings.tools : {};
  const before: unknown[] = Array.isArray(tools.exclude) ? tools.exclude : [];
  return JSON.stringify({ ...settings, tools: { ...tools, exclude: [...before, ...excluded] } });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
