import { type StoryEntry, storyInOrder } from "../../agents/index.ts";
import type { ObjectStore } from "../../git/index.ts";
import type { SessionMetadata } from "../checkpoint/metadata.ts";
import { snapshots } from "./turns.ts";

/**
 * What subagents did in the turns of a checkpoint, by the id of the call that started them. Their
 * transcripts are not in the checkpoint: the stories of the turns have what is known of them.
 */
export async function subagentWork(
  store: ObjectStore,
  { session_id, turn_ids = [] }: SessionMetadata,
): Promise<Map<string, StoryEntry[]>> {
  const found = new Map<string, StoryEntry[]>();
  const taken = turn_ids.length === 0 ? [] : await snapshots(store, { session: session_id });
  for (const { record } of taken.filter((one) => turn_ids.includes(one.record.turn_id))) {
    if (!record.story) continue;
    const { entries, started_by = {} } = storyInOrder(record.story.told);
    let last: string | undefined;
    for (const entry of entries) {
      const { child, kind, tool, call_id } = entry;
      if (child === undefined) {
        if (kind === "call" && tool === "subagent") last = call_id;
        continue;
      }
      // Turns of early versions do not say which call it was.
      const call = started_by[child] ?? last;
      if (call !== undefined) found.set(call, [...(found.get(call) ?? []), entry]);
    }
  }
  return found;
}
