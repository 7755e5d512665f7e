import type { Agent } from "../agent.ts";
import { detectBy } from "../detect.ts";
import { watchedHooks } from "../hooks/watched-hooks.ts";
import { watchInstaller } from "../install/watched-folder.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";
import { watcher } from "./watcher.ts";

const program = {
  command: "aider",
  versionArgs: ["--version"],
} as const;

export const aider: Agent = {
  name: "aider",
  type: "Aider",
  description: "Pair programming in the terminal; watched through the history it writes",
  preview: true,
  protectedDirs: [],
  program,
  detect: detectBy(program, [".aider.conf.yml", ".aider.chat.history.md", ".aiderignore"]),
  transcript,
  sessions,
  hooks: { ...watchedHooks, installer: watchInstaller("aider", watcher) },
  watcher,
};
