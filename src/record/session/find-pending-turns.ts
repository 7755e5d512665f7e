import type { Prompt } from "../../agents/index.ts";
import type { PendingTurn, SessionState } from "./state.ts";

/**
 * Pending turns with the places at which they begin in a transcript that the agent wrote anew: it
 * leaves out what it has summed up. A turn that is not in there any more begins with the next one.
 */
export function foundAgain(
  { pending, turn_id, turn_checkpoint_ids, transcript_position = 0 }: SessionState,
  prompts: readonly Prompt[],
  position: number,
): PendingTurn[] {
  const turns: PendingTurn[] = [];
  let rest = prompts;
  let next = 0;
  for (const turn of [...pending.turns].reverse()) {
    const isCurrent = turn.id === turn_id;
    // What a checkpoint of this turn has already is not in the next one too.
    const isBegun = isCurrent && turn_checkpoint_ids.length > 0 && position >= transcript_position;
    const asked = rest.findLastIndex(({ text }) => text === turn.prompt);
    const at = asked < 0 && isCurrent ? rest.length - 1 : asked;
    next = rest[at]?.position ?? next;
    if (at >= 0) rest = rest.slice(0, at);
    turns.unshift(isBegun ? turn : { ...turn, transcript_start: next });
  }
  return turns;
}
