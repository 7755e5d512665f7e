import { existsSync } from "node:fs";
import { join } from "node:path";
import { jsonServers } from "../install/json-servers.ts";
import { pluginInstaller } from "../install/plugin-file.ts";
import { serverInstaller } from "../install/server-file.ts";
import { opencodePlugin } from "./plugin.ts";

export const installer = pluginInstaller({
  file: (level, { env, home, project }) => {
    const user = join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
    return join(level === "user" ? user : join(project, ".opencode"), "plugin", "agentseam.js");
  },
  text: opencodePlugin,
});

export const mcp = serverInstaller({
  file: (level, { env, home, project }) => {
    const user = join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
    const json = join(level === "user" ? user : project, "opencode.json");
    return existsSync(`${json}c`) ? `${json}c` : json;
  },
  format: jsonServers("mcp"),
  entry: (command) => ({ type: "local", command, enabled: true }),
});
