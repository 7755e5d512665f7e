import { join } from "node:path";
import { pluginInstaller } from "../install/plugin-file.ts";
import { startFolderFinding } from "../install/start-folder-finding.ts";
import { piPlugin } from "./plugin.ts";
import { configDir, examineTrust } from "./trust.ts";

export const installer = pluginInstaller({
  file: (level, place) => {
    const folder = level === "user" ? configDir(place) : join(place.project, ".pi");
    return join(folder, "extensions", "agentseam.js");
  },
  switches: (level, place) => (level === "user" ? [join(configDir(place), "trust.json")] : []),
  text: piPlugin,
  examine: async (plan) => [
    ...(await examineTrust(plan)),
    ...(plan.level === "project" ? [startFolderFinding("Pi", plan.place)] : []),
  ],
});
