import type { Agent } from "../agent.ts";
import { detectBy } from "../detect.ts";
import { headless } from "./headless.ts";
import { hooks } from "./hooks.ts";
import { installer, mcp } from "./install.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

const program = {
  command: "opencode",
  versionArgs: ["--version"],
  tested: ["1.18.33", "1.18.33"],
} as const;

export const opencode: Agent = {
  name: "opencode",
  type: "OpenCode",
  description: "The open source coding agent with many models",
  preview: false,
  protectedDirs: [".opencode"],
  program,
  detect: detectBy(program, [".opencode", "opencode.json", "opencode.jsonc"]),
  transcript,
  sessions,
  hooks: { ...hooks, installer },
  headless,
  mcp,
};
