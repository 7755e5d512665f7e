import type { Agent } from "../agent.ts";
import { detectBy } from "../detect.ts";
import { headless } from "./headless.ts";
import { hooks } from "./hooks.ts";
import { installer } from "./install.ts";
import { program } from "./program.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

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
  headless,
};
