import type { SkillEvent } from "../../events/index.ts";
import type { Prompt } from "./facts.ts";

/**
 * A skill that a hook told, with the place of its prompt in the transcript: the first one that
 * asks for it and is not older. A prompt alone is never taken for a skill.
 */
export function anchorSkill(
  event: SkillEvent,
  prompts: readonly Prompt[],
  unit = "line",
): SkillEvent {
  const command = event.native?.command;
  if (event.transcript_anchor || typeof command !== "string") return event;
  const prompt = prompts.find(
    ({ text, at }) => asksFor(text, command) && !isBefore(at, event.timestamp),
  );
  if (!prompt) return event;
  const { position, id } = prompt;
  const transcript_anchor = {
    unit,
    start: position,
    end: position,
    ...(id !== undefined && { entry_ids: [id] }),
  };
  return { ...event, transcript_anchor };
}

const asksFor = (text: string, command: string) =>
  text === command || text.startsWith(`${command} `) || text.startsWith(`${command}\n`);

/** Times that cannot be compared decide nothing. */
function isBefore(at: string | undefined, timestamp: string | undefined): boolean {
  const [prompt, told] = [at, timestamp].map((time) => Date.parse(time ?? ""));
  return prompt !== undefined && told !== undefined && prompt < told;
}
