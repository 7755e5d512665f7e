import type { Agent } from "../agent.ts";
import type { Installer } from "../install/installer.ts";
import { headless } from "./headless.ts";
import { hooks } from "./hooks.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

/** It is part of Seam: there is nothing to put anywhere. */
const installer: Installer = {
  levels: [],
  files: () => [],
  install: () => [],
  uninstall: () => [],
  health: () => "installed",
  examine: async () => [],
};

/** The embedded agent, as the daemon and the record see it. */
export const seam: Agent<"seam"> = {
  name: "seam",
  type: "Seam",
  description: "Seam's own agent",
  preview: false,
  protectedDirs: [".seam"],
  program: { command: "seam", versionArgs: ["--version"], tested: ["0.1.0", "0.1.0"] },
  detect: () => ({ configured: false }),
  transcript,
  sessions,
  hooks: { ...hooks, installer },
  headless,
};
