import { dirname, join } from "node:path";
import type { AgentFolders } from "../agent.ts";
import { withParents } from "../install/folders.ts";
import { GROUPS } from "../install/handler-list.ts";
import { hookFileInstaller } from "../install/hook-file.ts";
import type { Finding, InstallPlan } from "../install/installer.ts";
import { jsonServers } from "../install/json-servers.ts";
import { dig, jsonAt } from "../install/json-value.ts";
import { serverInstaller } from "../install/server-file.ts";
import { startFolderFinding } from "../install/start-folder-finding.ts";
import { secondsFor } from "../install/timeouts.ts";
import { hooks } from "./hooks.ts";

/** By this name a user can switch the hooks off in Gemini CLI. */
const NAME = "agentseam";

export const configDir = ({ env, home }: AgentFolders) =>
  join(env.GEMINI_CLI_HOME || home, ".gemini");
const userFile = (place: AgentFolders) => join(configDir(place), "settings.json");
const projectFile = ({ project }: AgentFolders) => join(project, ".gemini", "settings.json");

export const installer = hookFileInstaller({
  title: "Gemini CLI",
  hooks: hooks.mapping,
  files: (level, place) => [level === "user" ? userFile(place) : projectFile(place)],
  switches: (level, place) =>
    level === "user" ? [join(configDir(place), "trustedFolders.json")] : [],
  shape: GROUPS,
  // Gemini CLI counts in milliseconds.
  entry: (_, command, canDecide) => ({
    matcher: "*",
    hooks: [{ name: NAME, type: "command", command, timeout: secondsFor(canDecide) * 1000 }],
  }),
  reads: { comments: true, trailingCommas: false, bom: false },
  examine: (plan) => [...switchedOff(plan), ...untrusted(plan)],
});

function switchedOff({ place }: InstallPlan): Finding[] {
  return [userFile(place), projectFile(place)].flatMap((path): Finding[] => {
    const config = dig(jsonAt(path), "hooksConfig");
    const disabled = dig(config, "disabled");
    const off = dig(config, "enabled") === false;
    if (!off && !(Array.isArray(disabled) && disabled.includes(NAME))) return [];
    const key = off ? "enabled" : "disabled";
    return [
      {
        level: "error",
        code: "hooks-off",
        text: `Gemini CLI does not run Seam's hooks: "hooksConfig.${key}" in ${path} says so.`,
        next: off ? "Set it to true." : `Take "${NAME}" out of that list.`,
        stops: { all: true, why: "they are switched off" },
      },
    ];
  });
}

function untrusted({ level, place }: InstallPlan): Finding[] {
  if (level !== "project") return [];
  const rules = jsonAt(join(configDir(place), "trustedFolders.json"));
  const parents = withParents(place.project);
  const trusted = Object.entries(rules ?? {}).some(
    ([folder, rule]) =>
      parents.includes(rule === "TRUST_PARENT" ? dirname(folder) : folder) &&
      rule !== "DO_NOT_TRUST",
  );
  const finding: Finding = {
    level: "warning",
    code: "folder-untrusted",
    text: "Gemini CLI runs no hooks in a folder it does not trust.",
    next: `Run gemini in ${place.project} and choose to trust it. In scripts: GEMINI_CLI_TRUST_WORKSPACE=true`,
    stops: { all: true, why: "Gemini CLI does not trust this folder" },
  };
  const isTrusted = trusted || place.env.GEMINI_CLI_TRUST_WORKSPACE === "true";
  return [...(isTrusted ? [] : [finding]), startFolderFinding("Gemini CLI", place)];
}

export const mcp = serverInstaller({
  file: (level, place) => (level === "user" ? userFile(place) : projectFile(place)),
  format: jsonServers("mcpServers"),
  entry: ([command, ...args]) => ({ command, args }),
});
