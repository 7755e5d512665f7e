import type { SkillEvent } from "../../events/index.ts";

/**
 * Joins what hooks and the transcript said of skills. The same use is one event: by its id, or by
 * the tool call it came with; what one of them left out is taken from the other.
 */
export function mergeSkillEvents(
  known: readonly SkillEvent[],
  more: readonly SkillEvent[],
): SkillEvent[] {
  const merged = [...known];
  for (const event of more) {
    const at = merged.findIndex((other) => isSame(other, event));
    const same = merged[at];
    if (same) merged[at] = { ...event, ...same, ...anchorOf(event), ...anchorOf(same) };
    else merged.push(event);
  }
  return merged;
}

function isSame(a: SkillEvent, b: SkillEvent): boolean {
  if (a.id !== undefined && a.id === b.id) return true;
  const call = toolUseOf(a);
  return call !== undefined && call === toolUseOf(b) && a.source.agent === b.source.agent;
}

function toolUseOf({ native, transcript_anchor }: SkillEvent): string | undefined {
  const id = native?.tool_use_id ?? transcript_anchor?.tool_use_id;
  return typeof id === "string" ? id : undefined;
}

function anchorOf({ transcript_anchor }: SkillEvent): Partial<SkillEvent> {
  return transcript_anchor ? { transcript_anchor } : {};
}
