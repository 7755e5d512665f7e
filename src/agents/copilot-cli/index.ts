import type { Agent } from "../agent.ts";
import { detectBy } from "../detect.ts";
import { headless } from "./headless.ts";
import { hooks } from "./hooks.ts";
import { installer, mcp } from "./install.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

const program = {
  command: "copilot",
  versionArgs: ["--version"],
  tested: ["1.0.102", "1.0.102"],
} as const;

export const copilotCli: Agent = {
  name: "copilot-cli",
  type: "Copilot CLI",
  description: "GitHub's coding agent",
  preview: false,
  protectedDirs: [".github/hooks"],
  program,
  detect: detectBy(program, [".github/hooks", ".github/copilot-instructions.md"]),
  transcript,
  sessions,
  hooks: { ...hooks, installer },
  headless,
  mcp,
};
