import { join } from "node:path";
import { pluginInstaller } from "../install/plugin-file.ts";
import { opencodePlugin } from "./plugin.ts";

export const installer = pluginInstaller({
  file: (level, { env, home, project }) => {
    const user = join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
    return join(level === "user" ? user : join(project, ".opencode"), "plugin", "agentseam.js");
  },
  text: opencodePlugin,
});
