import type { ForeignAgent } from "./agent.ts";
import { transcript as aider } from "./aider/transcript.ts";
import { transcript as claudeCode } from "./claude-code/transcript.ts";
import { transcript as codex } from "./codex/transcript.ts";
import { transcript as copilotCli } from "./copilot-cli/transcript.ts";
import { transcript as cursor } from "./cursor/transcript.ts";
import { transcript as factoryaiDroid } from "./factoryai-droid/transcript.ts";
import { transcript as gemini } from "./gemini/transcript.ts";
import { transcript as opencode } from "./opencode/transcript.ts";
import { transcript as pi } from "./pi/transcript.ts";
import { AGENTS } from "./registry.ts";
import { chunkLines } from "./transcripts/chunk-lines.ts";
import { joinMessages } from "./transcripts/chunk-messages.ts";
import type { TranscriptFormat } from "./transcripts/format.ts";

const HEAD_BYTES = 64 * 1024;

/**
 * Whose transcript begins like this.
 *
 * @example
 * recogniseTranscript(readFileSync("session.jsonl").subarray(0, 4096)); // "claude-code"
 */
export function recogniseTranscript(head: Buffer): string | undefined {
  const start = head.subarray(0, HEAD_BYTES);
  return formats().find(([, format]) => format.recognise(start))?.[0];
}

/** Those that come with Seam in the order that tells them apart, then those that were registered. */
function formats(): [name: string, format: TranscriptFormat][] {
  const own = Object.entries(TRANSCRIPT_FORMATS);
  const registered = AGENTS.filter(({ name }) => !Object.hasOwn(TRANSCRIPT_FORMATS, name));
  return [
    ...own,
    ...registered.map(({ name, transcript }): [string, TranscriptFormat] => [name, transcript]),
  ];
}

/**
 * Cuts a transcript the way its agent allows; at line ends if nobody knows whose it is.
 *
 * @example
 * const pieces = chunkTranscript(readFileSync("session.jsonl"), "claude-code");
 */
export function chunkTranscript(content: Buffer, agentName?: string, maxBytes?: number): Buffer[] {
  return (formatOf(agentName, content)?.chunk ?? chunkLines)(content, maxBytes);
}

/** Puts the pieces of a transcript together again, to the byte. */
export function reassembleTranscript(chunks: readonly Buffer[], agentName?: string): Buffer {
  const [head = Buffer.alloc(0)] = chunks;
  return (formatOf(agentName, head)?.reassemble ?? joinMessages)(chunks);
}

function formatOf(agentName: string | undefined, head: Buffer): TranscriptFormat | undefined {
  const known = formats();
  const named = known.find(([name]) => name === agentName);
  const [, format] = named ?? known.find(([name]) => name === recogniseTranscript(head)) ?? [];
  return format;
}

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
