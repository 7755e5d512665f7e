import { join } from "node:path";
import type { AgentFolders } from "../agent.ts";
import { checkGroups } from "../install/check-groups.ts";
import { withParents } from "../install/folders.ts";
import { GROUPS } from "../install/handler-list.ts";
import { hookFileInstaller, hookLists } from "../install/hook-file.ts";
import type { Finding, InstallPlan } from "../install/installer.ts";
import { jsonServers } from "../install/json-servers.ts";
import { dig, jsonAt } from "../install/json-value.ts";
import { SERVER, serverInstaller } from "../install/server-file.ts";
import { startFolderFinding } from "../install/start-folder-finding.ts";
import { secondsFor } from "../install/timeouts.ts";
import { hooks } from "./hooks.ts";

/** Without a timeout of its own it is stopped after 1.5 seconds. */
const END_SECONDS = 30;

const ONLY: Readonly<Record<string, string>> = {
  // Claude Code prints the command of every hook that runs before a compaction the user asked for.
  PreCompact: "auto",
  // A session that is done tells so by itself.
  Notification: "permission_prompt",
};

const configDir = ({ env, home }: AgentFolders) => env.CLAUDE_CONFIG_DIR || join(home, ".claude");
const userFile = (place: AgentFolders) => join(configDir(place), "settings.json");

function projectFiles({ project }: AgentFolders): string[] {
  const folder = join(project, ".claude");
  return [join(folder, "settings.local.json"), join(folder, "settings.json")];
}

const entry = (hook: string, command: string, canDecide: boolean) => ({
  ...(Object.hasOwn(ONLY, hook) && { matcher: ONLY[hook] }),
  hooks: [
    {
      type: "command",
      command,
      timeout: hook === "SessionEnd" ? END_SECONDS : secondsFor(canDecide),
    },
  ],
});

/** Settings with Seam's hooks, for one process alone. */
export function processSettings(command: (hook: string) => string): string {
  return JSON.stringify({ hooks: hookLists(hooks.mapping, entry, command) });
}

export const installer = hookFileInstaller({
  title: "Claude Code",
  hooks: hooks.mapping,
  files: (level, place) => (level === "user" ? [userFile(place)] : projectFiles(place)),
  offCommand: /^claude\b.* (--bare\b|--setting-sources\b|--settings\b.*disableAllHooks)/,
  shape: GROUPS,
  entry,
  reads: { comments: false, trailingCommas: false, bom: true },
  problems: (value) =>
    checkGroups(value, {
      types: {
        command: "command",
        prompt: "prompt",
        agent: "prompt",
        http: "url",
        mcp_tool: undefined,
      },
      events: EVENTS,
      needsHandlers: true,
      needsLists: false,
    }),
  examine: (plan) => [...switchedOff(plan), ...untrusted(plan)],
});

/** Claude Code does not check the entries of events that it does not know. */
const EVENTS = [
  ...Object.keys(hooks.mapping),
  "ConfigChange",
  "CwdChanged",
  "Elicitation",
  "ElicitationResult",
  "FileChanged",
  "InstructionsLoaded",
  "MessageDisplay",
  "PermissionDenied",
  "PermissionRequest",
  "PostCompact",
  "PostToolBatch",
  "Setup",
  "TaskCompleted",
  "TaskCreated",
  "TeammateIdle",
  "WorktreeCreate",
  "WorktreeRemove",
];

function switchedOff({ place }: InstallPlan): Finding[] {
  const files = [userFile(place), ...projectFiles(place)];
  const off = files.filter((path) => dig(jsonAt(path), "disableAllHooks") === true);
  return off.map((path) => ({
    level: "error",
    code: "hooks-off",
    text: `Claude Code runs no hooks at all: ${path} says "disableAllHooks".`,
    next: "Remove that line.",
    stops: { all: true, why: "they are switched off" },
  }));
}

function untrusted({ level, place }: InstallPlan): Finding[] {
  if (level !== "project") return [];
  const folder = place.env.CLAUDE_CONFIG_DIR || place.home;
  const projects = dig(jsonAt(join(folder, ".claude.json")), "projects");
  const trusted = withParents(place.project).some(
    (dir) => dig(projects, dir, "hasTrustDialogAccepted") === true,
  );
  const finding: Finding = {
    level: "warning",
    code: "folder-untrusted",
    text: "Claude Code runs a project's hooks in its terminal only after you trusted the folder.",
    next: `Run claude in ${place.project} and answer its question. Without a terminal (claude -p) they run at once.`,
    stops: { all: false, why: "in its terminal once you trust the folder" },
  };
  return [...(trusted ? [] : [finding]), startFolderFinding("Claude Code", place)];
}

/** Where it keeps the servers of all projects, and what the user agreed to. */
const stateFile = ({ env, home }: AgentFolders) =>
  join(env.CLAUDE_CONFIG_DIR || home, ".claude.json");

export const mcp = serverInstaller({
  file: (level, place) => (level === "user" ? stateFile(place) : join(place.project, ".mcp.json")),
  format: jsonServers("mcpServers"),
  entry: ([command, ...args]) => ({ type: "stdio", command, args }),
  examine: (plan) => unapproved(plan),
});

/** It starts a project's servers only once the user agreed to each of them. */
function unapproved({ level, place }: InstallPlan): Finding[] {
  if (level !== "project") return [];
  const known = dig(jsonAt(stateFile(place)), "projects");
  const said = [
    ...withParents(place.project).map((dir) => dig(known, dir)),
    ...[userFile(place), ...projectFiles(place)].map((path) => jsonAt(path)),
  ];
  const isApproved = said.some((settings) => {
    const named = dig(settings, "enabledMcpjsonServers");
    const isNamed = Array.isArray(named) && named.includes(SERVER);
    return isNamed || dig(settings, "enableAllProjectMcpServers") === true;
  });
  if (isApproved) return [];
  return [
    {
      level: "warning",
      code: "mcp-unapproved",
      text: "Claude Code starts a project's MCP server only after you agreed to it.",
      next: `Run claude in ${place.project} and agree to the server ${SERVER}.`,
    },
  ];
}
