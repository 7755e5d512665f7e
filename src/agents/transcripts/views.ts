import type { SkillEvent, TokenUsage } from "../../events/index.ts";
import { type TranscriptFormat, tellsUsage } from "./format.ts";
import { scanTranscript } from "./scan.ts";

/** Single questions about a transcript. For more than one, keep a state and use `scan`. */

/** How many lines or messages there are; 0 if there is no transcript. */
export async function transcriptPosition(format: TranscriptFormat, ref: string): Promise<number> {
  const { state } = await scanTranscript(format, ref, { want: "position" });
  return state.position;
}

/**
 * Files changed from a line or message on, and how many of those there are by now.
 *
 * @example
 * const codex = agentNamed("codex");
 * if (codex) console.log((await modifiedFilesFrom(codex.transcript, "rollout.jsonl", 0)).files);
 */
export async function modifiedFilesFrom(
  format: TranscriptFormat,
  ref: string,
  offset: number,
): Promise<{ files: readonly string[]; position: number }> {
  const { facts, state } = await scanTranscript(format, ref, { skip: offset });
  return { files: facts.files, position: state.position };
}

/**
 * What the user asked from a line or message on.
 *
 * @example
 * const codex = agentNamed("codex");
 * if (codex) console.log(await promptsFrom(codex.transcript, "rollout.jsonl", 0));
 */
export async function promptsFrom(
  format: TranscriptFormat,
  ref: string,
  offset: number,
): Promise<readonly string[]> {
  const { facts } = await scanTranscript(format, ref, { skip: offset });
  return facts.prompts.map(({ text }) => text);
}

/**
 * A title or summary the agent made itself; else what it said last.
 *
 * @example
 * const claude = agentNamed("claude-code");
 * if (claude) console.log(await summaryOf(claude.transcript, "session.jsonl"));
 */
export async function summaryOf(
  format: TranscriptFormat,
  ref: string,
): Promise<string | undefined> {
  const { facts } = await scanTranscript(format, ref);
  return facts.summary ?? facts.lastAnswer;
}

/**
 * What was used from a line or message on; undefined if nobody knows: there is no transcript, or its
 * agent does not write that down. Nothing used is another thing.
 */
export async function tokenUsageFrom(
  format: TranscriptFormat,
  ref: string,
  offset: number,
): Promise<TokenUsage | undefined> {
  if (!tellsUsage(format)) return undefined;
  const { total, missing } = await scanTranscript(format, ref, { want: "tokens", skip: offset });
  return missing ? undefined : total;
}

/** The skills that were used from a line or message on. */
export async function skillEventsFrom(
  format: TranscriptFormat,
  ref: string,
  offset: number,
): Promise<readonly SkillEvent[]> {
  const { facts } = await scanTranscript(format, ref, { skip: offset });
  return facts.skills;
}
