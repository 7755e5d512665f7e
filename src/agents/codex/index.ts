import type { Agent } from "../agent.ts";
import { detectBy } from "../detect.ts";
import { headless } from "./headless.ts";
import { hooks } from "./hooks.ts";
import { installer, mcp } from "./install.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

const program = {
  command: "codex",
  versionArgs: ["--version"],
  tested: ["0.166.0", "0.166.0"],
} as const;

export const codex: Agent = {
  name: "codex",
  type: "Codex",
  description: "OpenAI's coding agent",
  preview: false,
  protectedDirs: [".codex"],
  program,
  detect: detectBy(program, [".codex"]),
  transcript,
  sessions,
  hooks: { ...hooks, installer },
  headless,
  mcp,
};
