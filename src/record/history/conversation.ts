import { agentOfType, contentEntries, type TranscriptEntry } from "../../agents/index.ts";
import type { SkillEvent } from "../../events/index.ts";
import type { ObjectStore } from "../../git/index.ts";
import {
  type Checkpoint,
  readTranscript,
  type StoredSession,
} from "../checkpoint/read-checkpoint.ts";

/** One thing of a conversation, in the order it happened. */
export interface ConversationPart {
  readonly position: number;
  readonly entry: TranscriptEntry;
  /** The skill it belongs to, if it can be folded away. */
  readonly skill?: SkillEvent;
}

/** What was said and done in a session's part of a checkpoint; undefined without a transcript. */
export async function conversation(
  store: ObjectStore,
  checkpoint: Checkpoint,
  { index, metadata }: StoredSession,
): Promise<ConversationPart[] | undefined> {
  const format = agentOfType(metadata.agent ?? "")?.transcript;
  const content = await readTranscript(store, checkpoint, index);
  if (!format || !content) return undefined;
  const from = metadata.checkpoint_transcript_start ?? 0;
  const end = metadata.checkpoint_transcript_end ?? Number.POSITIVE_INFINITY;
  const skills = metadata.skill_events ?? [];
  const said: ConversationPart[] = [];
  for (const { position, entry } of contentEntries(format, content)) {
    if (position < from || position >= end) continue;
    const skill = skills.find((event) => isPartOf(event, position, entry));
    said.push({ position, entry, ...(skill && { skill }) });
  }
  return said;
}

/** The call and result of a skill tool, or the message a typed command became. */
function isPartOf(
  { transcript_anchor: anchor, collapse, native }: SkillEvent,
  position: number,
  { kind, tool }: TranscriptEntry,
): boolean {
  if (!collapse?.default_collapsed) return false;
  if (collapse.target === "tool_pair") {
    const id = anchor?.tool_use_id ?? native?.tool_use_id;
    return tool !== undefined && tool.callId !== undefined && tool.callId === id;
  }
  return (
    kind === "user" && anchor !== undefined && position >= anchor.start && position <= anchor.end
  );
}
