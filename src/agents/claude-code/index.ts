import type { Agent } from "../agent.ts";
import { detectBy } from "../detect.ts";
import { headless } from "./headless.ts";
import { hooks } from "./hooks.ts";
import { installer, mcp } from "./install.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

const program = {
  command: "claude",
  versionArgs: ["--version"],
  tested: ["2.1.197", "2.1.197"],
} as const;

export const claudeCode: Agent = {
  name: "claude-code",
  type: "Claude Code",
  description: "Anthropic's coding agent",
  preview: false,
  protectedDirs: [".claude"],
  program,
  detect: detectBy(program, [".claude", "CLAUDE.md"]),
  transcript,
  sessions,
  hooks: { ...hooks, installer },
  headless,
  mcp,
};
