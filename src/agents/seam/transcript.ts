import { formatOf } from "../pi/transcript.ts";
import { jsonlFormat } from "../transcripts/jsonl.ts";

/**
 * The embedded agent writes Pi's format. Which skills were used it says itself, when a call of its
 * skill tool has found one; the transcript says where that was.
 */
export const transcript = {
  ...jsonlFormat(
    formatOf({
      agent: "seam",
      tools: { tools: { Skill: { name: "skill", fields: { name: "skill" } } } },
    }),
  ),
  onlyPlacesSkills: true as const,
};
