import type { Agent } from "../agent.ts";
import { detectBy } from "../detect.ts";
import { hooks } from "./hooks.ts";
import { installer } from "./install.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

const program = {
  command: "pi",
  versionArgs: ["--version"],
  tested: ["0.74.2", "0.74.2"],
} as const;

export const pi: Agent = {
  name: "pi",
  type: "Pi",
  description: "The small coding agent with extensions",
  preview: false,
  protectedDirs: [".pi"],
  program,
  detect: detectBy(program, [".pi"]),
  transcript,
  sessions,
  hooks: { ...hooks, installer },
};
