import type { SkillEvent } from "../../events/index.ts";

/**
 * Joins what hooks and the transcript said of skills. The same use is one event: by its id, by the
 * tool call it came with, or by its place in the transcript. A use that only one side can name is
 * the first one of this skill in the turn that the other side could not. What one left out is taken
 * from the other.
 */
export function mergeSkillEvents(
  known: readonly SkillEvent[],
  more: readonly SkillEvent[],
): SkillEvent[] {
  const merged = [...known];
  for (const event of more) {
    const at = indexOfSame(merged, event);
    const same = merged[at];
    if (same) merged[at] = joined(same, event);
    else merged.push(event);
  }
  return merged;
}

/** Those of the events that are uses which are known already. */
export function knownAmong(
  known: readonly SkillEvent[],
  events: readonly SkillEvent[],
): SkillEvent[] {
  return events.filter((event) => indexOfSame(known, event) >= 0);
}

function indexOfSame(known: readonly SkillEvent[], event: SkillEvent): number {
  const at = known.findIndex((other) => isSame(other, event));
  return at >= 0 ? at : known.findIndex((other) => couldBe(other, event));
}

/** Whether anything tells this use from another one of the same skill in the same turn. */
export function isNamed(event: SkillEvent): boolean {
  const { id, transcript_anchor } = event;
  return id !== undefined || toolUseOf(event) !== undefined || transcript_anchor !== undefined;
}

/** What uses of one skill in one turn have in common. */
export function usesOf({ turn_id = "", source, skill }: SkillEvent): string {
  return [turn_id, source.agent, source.signal, skill.name].join("\0");
}

function isSame(a: SkillEvent, b: SkillEvent): boolean {
  if (a.id !== undefined && a.id === b.id) return true;
  const [call, other] = [toolUseOf(a), toolUseOf(b)];
  if (call !== undefined && other !== undefined) {
    return call === other && a.source.agent === b.source.agent;
  }
  if (a.id !== undefined && b.id !== undefined) return false;
  const place = a.transcript_anchor?.start;
  return place !== undefined && place === b.transcript_anchor?.start && usesOf(a) === usesOf(b);
}

function couldBe(a: SkillEvent, b: SkillEvent): boolean {
  return isNamed(a) !== isNamed(b) && usesOf(a) === usesOf(b);
}

function joined(same: SkillEvent, event: SkillEvent): SkillEvent {
  const native = { ...event.native, ...same.native };
  return {
    ...event,
    ...same,
    ...anchorOf(event),
    ...anchorOf(same),
    ...reaching(same, event),
    ...(Object.keys(native).length > 0 && { native }),
  };
}

function toolUseOf({ native, transcript_anchor }: SkillEvent): string | undefined {
  const id = native?.tool_use_id ?? transcript_anchor?.tool_use_id;
  return typeof id === "string" ? id : undefined;
}

/** A use that was read before its result was there reaches to that result once it is. */
function reaching(same: SkillEvent, event: SkillEvent): Partial<SkillEvent> {
  const [known, later] = [same.transcript_anchor, event.transcript_anchor];
  if (!known || !later || known.start !== later.start) return {};
  return { transcript_anchor: { ...known, end: Math.max(known.end, later.end) } };
}

function anchorOf({ transcript_anchor }: SkillEvent): Partial<SkillEvent> {
  return transcript_anchor ? { transcript_anchor } : {};
}
