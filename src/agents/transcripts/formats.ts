import type { ForeignAgent } from "../agent.ts";
import { transcript as aider } from "../aider/transcript.ts";
import { transcript as claudeCode } from "../claude-code/transcript.ts";
import { transcript as codex } from "../codex/transcript.ts";
import { transcript as copilotCli } from "../copilot-cli/transcript.ts";
import { transcript as cursor } from "../cursor/transcript.ts";
import { transcript as factoryaiDroid } from "../factoryai-droid/transcript.ts";
import { transcript as gemini } from "../gemini/transcript.ts";
import { transcript as opencode } from "../opencode/transcript.ts";
import { transcript as pi } from "../pi/transcript.ts";
import type { TranscriptFormat } from "./format.ts";

/** How each agent writes transcripts. In this order they are told from each other. */
export const TRANSCRIPT_FORMATS: Readonly<Record<ForeignAgent, TranscriptFormat>> = {
  gemini,
  codex,
  pi,
  "copilot-cli": copilotCli,
  "factoryai-droid": factoryaiDroid,
  opencode,
  // The last three say the least about whose they are.
  "claude-code": claudeCode,
  cursor,
  aider,
};
