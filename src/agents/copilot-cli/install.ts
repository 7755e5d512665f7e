import { join } from "node:path";
import { isRecord } from "../../values/index.ts";
import type { AgentFolders } from "../agent.ts";
import { withParents } from "../install/folders.ts";
import { FLAT } from "../install/handler-list.ts";
import { hookFileInstaller, hookLists } from "../install/hook-file.ts";
import type { Finding, InstallPlan } from "../install/installer.ts";
import { jsonServers } from "../install/json-servers.ts";
import { dig, jsonAt } from "../install/json-value.ts";
import { serverInstaller } from "../install/server-file.ts";
import { secondsFor } from "../install/timeouts.ts";
import { hooks } from "./hooks.ts";

const configDir = ({ env, home }: AgentFolders) => env.COPILOT_HOME || join(home, ".copilot");

/** Files of a project in which it looks for "disableAllHooks", also for hooks at user level. */
const projectSettings = ({ project }: AgentFolders) =>
  [".github/copilot", ".claude"].flatMap((folder) =>
    ["settings.json", "settings.local.json"].map((name) => join(project, folder, name)),
  );

/** No matcher: an empty one would match no tool. */
const entry = (_: string, command: string, canDecide: boolean) => ({
  type: "command",
  bash: command,
  timeoutSec: secondsFor(canDecide),
});

/** The file with the hooks of a plugin that only one process loads. */
export function processHooks(command: (hook: string) => string): string {
  return JSON.stringify({ version: 1, hooks: hookLists(hooks.mapping, entry, command) });
}

export const installer = hookFileInstaller({
  title: "Copilot CLI",
  hooks: hooks.mapping,
  files: (level, place) => [
    join(
      level === "user" ? configDir(place) : join(place.project, ".github"),
      "hooks",
      "agentseam.json",
    ),
  ],
  switches: (level, place) =>
    level === "user"
      ? ["settings.json", "config.json"].map((name) => join(configDir(place), name))
      : projectSettings(place),
  ownFile: true,
  top: { version: 1 },
  shape: FLAT,
  entry,
  reads: { comments: false, trailingCommas: false, bom: false },
  problems(value) {
    const lists = dig(value, "hooks");
    if (!isRecord(lists)) return [{ at: "hooks", why: "is not an object" }];
    return Object.entries(lists)
      .filter(([, list]) => !Array.isArray(list))
      .map(([event]) => ({ at: `hooks.${event}`, why: "is not a list" }));
  },
  examine: (plan) => [...switchedOff(plan), ...untrusted(plan)],
});

function switchedOff(plan: InstallPlan): Finding[] {
  const files = [
    ...installer.files(plan),
    join(configDir(plan.place), "settings.json"),
    ...projectSettings(plan.place),
  ];
  const off = files.filter((path) => dig(jsonAt(path), "disableAllHooks") === true);
  return off.map((path) => ({
    level: "error",
    code: "hooks-off",
    text: `Copilot CLI does not run Seam's hooks: ${path} says "disableAllHooks".`,
    next: "Remove that line.",
    stops: { all: true, why: "they are switched off" },
  }));
}

function untrusted({ level, place }: InstallPlan): Finding[] {
  if (level !== "project") return [];
  const folders = dig(jsonAt(join(configDir(place), "config.json")), "trustedFolders");
  const listed = Array.isArray(folders) ? folders : [];
  if (withParents(place.project).some((folder) => listed.includes(folder))) return [];
  return [
    {
      level: "warning",
      code: "folder-untrusted",
      text: "Copilot CLI passes over a project's hooks without a word until you trusted the folder.",
      next: `Run copilot in ${place.project} and choose to trust it for good; or copilot -p … --trust-folder. Hooks at user level need no trust.`,
      stops: { all: true, why: "Copilot CLI does not trust this folder" },
    },
  ];
}

export const mcp = serverInstaller({
  // In a project it reads .mcp.json too, which is Claude Code's.
  file: (level, place) =>
    level === "user"
      ? join(configDir(place), "mcp-config.json")
      : join(place.project, ".github", "mcp.json"),
  format: jsonServers("mcpServers"),
  entry: ([command, ...args]) => ({ type: "local", command, args, tools: ["*"] }),
});
