import type { Agent } from "../agent.ts";
import { detectBy } from "../detect.ts";
import { headless } from "./headless.ts";
import { hooks } from "./hooks.ts";
import { installer, mcp } from "./install.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

const program = {
  command: "gemini",
  versionArgs: ["--version"],
  tested: ["0.61.0", "0.61.0"],
} as const;

export const gemini: Agent = {
  name: "gemini",
  type: "Gemini CLI",
  description: "Google's coding agent",
  preview: false,
  protectedDirs: [".gemini"],
  program,
  detect: detectBy(program, [".gemini", "GEMINI.md"]),
  transcript,
  sessions,
  hooks: { ...hooks, installer },
  headless,
  mcp,
};
