import type { Agent } from "../agent.ts";
import { detectBy } from "../detect.ts";
import { hooks } from "./hooks.ts";
import { installer, mcp } from "./install.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

const program = {
  command: "cursor",
  versionArgs: ["--version"],
} as const;

export const cursor: Agent = {
  name: "cursor",
  type: "Cursor",
  description: "The agent of the Cursor editor",
  preview: true,
  protectedDirs: [".cursor"],
  program,
  detect: detectBy(program, [".cursor", ".cursorrules"]),
  transcript,
  sessions,
  hooks: { ...hooks, installer },
  mcp,
};
