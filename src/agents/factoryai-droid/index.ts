import type { Agent } from "../agent.ts";
import { detectBy } from "../detect.ts";
import { headless } from "./headless.ts";
import { hooks } from "./hooks.ts";
import { installer, mcp } from "./install.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

const program = {
  command: "droid",
  versionArgs: ["--version"],
  tested: ["0.225.2", "0.225.2"],
} as const;

export const factoryaiDroid: Agent = {
  name: "factoryai-droid",
  type: "Factory AI Droid",
  description: "Factory's coding agent",
  preview: false,
  protectedDirs: [".factory"],
  program,
  detect: detectBy(program, [".factory"]),
  transcript,
  sessions,
  hooks: { ...hooks, installer },
  headless,
  mcp,
};
