import { type Static, Type } from "typebox";

/** Stored beside `skill_events`; raised when the shape below changes. */
export const SKILL_EVENTS_VERSION = 1;

/**
 * One use of a skill, in the JSON it is stored in. A side note to the transcript: the transcript
 * itself is never rewritten.
 */
export const SkillEventSchema = Type.Object({
  id: Type.Optional(
    Type.String({ description: "Stable where the agent gives one; duplicates share it." }),
  ),
  event_type: Type.Union([Type.Literal("tool_invocation"), Type.Literal("prompt_invocation")]),
  skill: Type.Object({ name: Type.String({ minLength: 1 }) }),
  source: Type.Object({
    agent: Type.String({ description: "Registry name, such as claude-code." }),
    signal: Type.Union([Type.Literal("skill_tool_use"), Type.Literal("input_slash_command")]),
    confidence: Type.Literal("explicit"),
  }),
  turn_id: Type.Optional(Type.String()),
  timestamp: Type.Optional(Type.String()),
  transcript_anchor: Type.Optional(
    Type.Object({
      unit: Type.String({ description: "What start and end count: line." }),
      start: Type.Integer(),
      end: Type.Integer(),
      entry_ids: Type.Optional(Type.Array(Type.String())),
      tool_use_id: Type.Optional(Type.String()),
    }),
  ),
  native: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  collapse: Type.Optional(
    Type.Object({
      target: Type.Union([Type.Literal("tool_pair"), Type.Literal("user_message")]),
      label: Type.String(),
      default_collapsed: Type.Boolean(),
    }),
  ),
});

export type SkillEvent = Static<typeof SkillEventSchema>;
