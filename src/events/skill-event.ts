import { Type } from "typebox";

/** The version that is stored beside `skill_events`; it goes up when the shape below changes. */
export const SKILL_EVENTS_VERSION = 1;

/**
 * One use of a skill, in the JSON it is stored in. A side note to the transcript: the transcript
 * itself is never rewritten.
 */
export const SkillEventSchema = Type.Object({
  id: Type.Optional(
    Type.String({ description: "Stable where the agent gives one; duplicates share it." }),
  ),
  event_type: Type.Union([Type.Literal("tool_invocation"), Type.Literal("prompt_invocation")], {
    description: "The model called the skill as a tool, or the user named it in a prompt.",
  }),
  skill: Type.Object(
    { name: Type.String({ minLength: 1, description: "The skill's name." }) },
    { description: "The skill that was used." },
  ),
  source: Type.Object(
    {
      agent: Type.String({ description: "Registry name, such as claude-code." }),
      signal: Type.Union([Type.Literal("skill_tool_use"), Type.Literal("input_slash_command")], {
        description: "What in the transcript says so.",
      }),
      confidence: Type.Literal("explicit", { description: "The agent itself says so." }),
    },
    { description: "Where it is known from." },
  ),
  turn_id: Type.Optional(Type.String({ description: "The turn it was used in." })),
  timestamp: Type.Optional(Type.String({ description: "When, as an ISO date." })),
  transcript_anchor: Type.Optional(
    Type.Object(
      {
        unit: Type.String({ description: "What start and end count: line." }),
        start: Type.Integer({ description: "Where it begins." }),
        end: Type.Integer({ description: "Where it ends." }),
        entry_ids: Type.Optional(
          Type.Array(Type.String(), { description: "The agent's ids of these entries." }),
        ),
        tool_use_id: Type.Optional(Type.String({ description: "The agent's id of the call." })),
      },
      { description: "Where in the transcript it is." },
    ),
  ),
  native: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "What the agent itself says of it.",
    }),
  ),
  collapse: Type.Optional(
    Type.Object(
      {
        target: Type.Union([Type.Literal("tool_pair"), Type.Literal("user_message")], {
          description: "What is folded.",
        }),
        label: Type.String({ description: "What is shown instead." }),
        default_collapsed: Type.Boolean({ description: "Whether it is folded at first." }),
      },
      { description: "How a viewer folds it." },
    ),
  ),
});
