import { join } from "node:path";
import type { AgentFolders } from "../agent.ts";
import { checkGroups } from "../install/check-groups.ts";
import { GROUPS } from "../install/handler-list.ts";
import { hookFileInstaller, hookLists } from "../install/hook-file.ts";
import { serverInstaller } from "../install/server-file.ts";
import { secondsFor } from "../install/timeouts.ts";
import { hooks } from "./hooks.ts";
import { TOML_SERVERS } from "./toml-servers.ts";
import { examineTrust } from "./trust.ts";

/** More is cut down to this, with a warning each time. */
const LIMITS: Readonly<Record<string, number>> = { SessionEnd: 3, Interrupt: 3 };

const configDir = ({ env, home }: AgentFolders) => env.CODEX_HOME || join(home, ".codex");

/** New entries go to the end of each list: an entry's place is part of what the user trusted. */
const entry = (hook: string, command: string, canDecide: boolean) => ({
  hooks: [{ type: "command", command, timeout: LIMITS[hook] ?? secondsFor(canDecide) }],
});

/** Seam's hooks as values of its configuration, for one process alone. */
export function processHooks(command: (hook: string) => string): Record<string, unknown> {
  const lists = Object.entries(hookLists(hooks.mapping, entry, command));
  return Object.fromEntries(lists.map(([hook, list]) => [`hooks.${hook}`, list]));
}

export const installer = hookFileInstaller({
  title: "Codex",
  hooks: hooks.mapping,
  files: (level, place) => [
    join(level === "user" ? configDir(place) : join(place.project, ".codex"), "hooks.json"),
  ],
  switches: (level, place) => [
    join(level === "user" ? configDir(place) : join(place.project, ".codex"), "config.toml"),
  ],
  offCommand:
    /^codex\b.* (features disable|--disable)[ =](codex_)?hooks\b|^codex\b.* (-c|--config)[ =]?features\.(codex_)?hooks ?= ?false/,
  shape: GROUPS,
  entry,
  reads: { comments: false, trailingCommas: false, bom: false },
  problems: (value) =>
    checkGroups(value, {
      types: { command: "command", mcp_tool: undefined, prompt: undefined, agent: undefined },
      topKeys: ["description", "hooks"],
      events: [...Object.keys(hooks.mapping), "PermissionRequest", "PreModelRequest"],
      needsHandlers: false,
      needsLists: true,
    }),
  examine: (plan, files) => examineTrust(plan, files, join(configDir(plan.place), "config.toml")),
});

/** A tool may have to ask a person; without this it is given up after a minute. */
const TOOL_SECONDS = 600;

export const mcp = serverInstaller({
  file: (level, place) =>
    join(level === "user" ? configDir(place) : join(place.project, ".codex"), "config.toml"),
  format: TOML_SERVERS,
  entry: ([command, ...args]) => ({ command, args, tool_timeout_sec: TOOL_SECONDS }),
});
