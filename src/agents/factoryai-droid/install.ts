import { join } from "node:path";
import { checkGroups } from "../install/check-groups.ts";
import { GROUPS } from "../install/handler-list.ts";
import { hookFileInstaller, hookLists } from "../install/hook-file.ts";
import type { Finding, InstallPlan } from "../install/installer.ts";
import { jsonServers } from "../install/json-servers.ts";
import { dig, jsonAt } from "../install/json-value.ts";
import { serverInstaller } from "../install/server-file.ts";
import { secondsFor } from "../install/timeouts.ts";
import { hooks } from "./hooks.ts";

const fileIn = (folder: string) => join(folder, ".factory", "settings.json");
/** It reads hooks from here too, and whether it runs any, also those of the other file and level. */
const otherFileIn = (folder: string) => join(folder, ".factory", "hooks.json");

const entry = (_: string, command: string, canDecide: boolean) => ({
  hooks: [{ type: "command", command, timeout: secondsFor(canDecide) }],
});

/** Settings with Seam's hooks, for one process alone. */
export function processHooks(command: (hook: string) => string): string {
  return JSON.stringify({ hooks: hookLists(hooks.mapping, entry, command) });
}

export const installer = hookFileInstaller({
  title: "Factory Droid",
  hooks: hooks.mapping,
  files: (level, { home, project }) => [fileIn(level === "user" ? home : project)],
  switches: (level, { home, project }) => [otherFileIn(level === "user" ? home : project)],
  shape: GROUPS,
  entry,
  reads: { comments: true, trailingCommas: false, bom: false },
  problems: (value) =>
    checkGroups(value, {
      types: { command: "command" },
      events: [...Object.keys(hooks.mapping), "PreCompact", "SubagentStop"],
      needsHandlers: false,
      needsLists: false,
    }),
  examine: switchedOff,
});

function switchedOff({ place }: InstallPlan): Finding[] {
  const folders = [...new Set([place.home, place.project])];
  const isOff = (path: string, ...keys: string[]) =>
    dig(jsonAt(path), ...keys, "hooksDisabled") === true;
  const off = [
    ...folders.map(fileIn).filter((path) => isOff(path, "hooks")),
    ...folders.map(otherFileIn).filter((path) => isOff(path) || isOff(path, "hooks")),
  ];
  return off.map((path) => ({
    level: "error",
    code: "hooks-off",
    text: `Factory Droid runs no hooks: "hooksDisabled" in ${path} says so.`,
    next: "Remove that line.",
    stops: { all: true, why: "they are switched off" },
  }));
}

export const mcp = serverInstaller({
  file: (level, { home, project }) =>
    join(level === "user" ? home : project, ".factory", "mcp.json"),
  format: jsonServers("mcpServers"),
  entry: ([command, ...args]) => ({ type: "stdio", command, args }),
});
