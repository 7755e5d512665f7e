import type { ForeignAgent } from "../agent.ts";
import { chunkLines } from "./chunk-lines.ts";
import { joinMessages } from "./chunk-messages.ts";
import type { TranscriptFormat } from "./format.ts";
import { TRANSCRIPT_FORMATS } from "./formats.ts";

const HEAD_BYTES = 64 * 1024;

/** Whose transcript begins like this. */
export function recogniseTranscript(head: Buffer): ForeignAgent | undefined {
  const start = head.subarray(0, HEAD_BYTES);
  const agents = Object.keys(TRANSCRIPT_FORMATS) as ForeignAgent[];
  return agents.find((agent) => TRANSCRIPT_FORMATS[agent].recognise(start));
}

/** Cuts a transcript the way its agent allows; at line ends if nobody knows whose it is. */
export function chunkTranscript(content: Buffer, agentName?: string, maxBytes?: number): Buffer[] {
  return (formatOf(agentName, content)?.chunk ?? chunkLines)(content, maxBytes);
}

export function reassembleTranscript(chunks: readonly Buffer[], agentName?: string): Buffer {
  const [head = Buffer.alloc(0)] = chunks;
  return (formatOf(agentName, head)?.reassemble ?? joinMessages)(chunks);
}

function formatOf(agentName: string | undefined, head: Buffer): TranscriptFormat | undefined {
  const isKnown = agentName !== undefined && Object.hasOwn(TRANSCRIPT_FORMATS, agentName);
  const name = isKnown ? (agentName as ForeignAgent) : recogniseTranscript(head);
  return name && TRANSCRIPT_FORMATS[name];
}
