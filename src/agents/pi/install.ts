import { join } from "node:path";
import { fromBelow } from "../install/notes.ts";
import { pluginInstaller } from "../install/plugin-file.ts";
import { piPlugin } from "./plugin.ts";

export const installer = pluginInstaller({
  file: (level, { env, home, project }) => {
    const user = env.PI_CODING_AGENT_DIR || join(home, ".pi", "agent");
    return join(level === "user" ? user : join(project, ".pi"), "extensions", "agentseam.js");
  },
  text: piPlugin,
  examine: ({ level, place }) => (level === "project" ? [fromBelow("Pi", place)] : []),
});
