import { type Static, type TSchema, type TUnsafe, Type } from "typebox";
import type { ImageContent, UserContent } from "./content.ts";
import type { SkillEvent } from "./contract.ts";
import type { AgentMessage, AssistantMessageEvent, ToolResultMessage } from "./messages.ts";
import type { Model } from "./model.ts";
import type { Goal, GoalModeState, Rule, TodoItem } from "./notices.ts";
import type {
  BranchSummaryEntry,
  CompactionEntry,
  CompactionPreparation,
  CompactionResult,
  SessionEntry,
  TreePreparation,
} from "./session-entries.ts";
import { SkillEventSchema } from "./skill-event.ts";

/**
 * Schemas for what events carry. Deep structures are checked only as far as dispatch relies on
 * them (a message has a role, an entry has an id): unknown fields are kept, never refused.
 */

const named = <T>(title: string, schema: object) => Type.Unsafe<T>({ ...schema, title });

/** The same schema with the meaning it has in one field: shown in the docs and by editors. */
export const about = <T extends TSchema>(schema: T, description: string): TUnsafe<Static<T>> =>
  Type.Unsafe<Static<T>>({ ...schema, description });

const Role = Type.Object({ role: Type.String() });
const Identified = Type.Object({ id: Type.String(), type: Type.String() });

export const S = {
  message: named<AgentMessage>("AgentMessage", Role),
  messages: named<AgentMessage[]>("AgentMessage[]", Type.Array(Role)),
  toolResults: named<ToolResultMessage[]>("ToolResultMessage[]", Type.Array(Role)),
  stream: named<AssistantMessageEvent>(
    "AssistantMessageEvent",
    Type.Object({ type: Type.String() }),
  ),
  content: named<UserContent[]>(
    "(TextContent | ImageContent)[]",
    Type.Array(
      Type.Union([
        Type.Object({ type: Type.Literal("text"), text: Type.String() }),
        Type.Object({ type: Type.Literal("image"), data: Type.String(), mimeType: Type.String() }),
      ]),
    ),
  ),
  images: named<ImageContent[]>(
    "ImageContent[]",
    Type.Array(Type.Object({ type: Type.Literal("image"), data: Type.String() })),
  ),
  entries: named<SessionEntry[]>("SessionEntry[]", Type.Array(Identified)),
  compactionEntry: named<CompactionEntry>("CompactionEntry", Identified),
  branchSummaryEntry: named<BranchSummaryEntry>("BranchSummaryEntry", Identified),
  compactionPreparation: named<CompactionPreparation>(
    "CompactionPreparation",
    Type.Object({ firstKeptEntryId: Type.String(), tokensBefore: Type.Number() }),
  ),
  compactionResult: named<CompactionResult>(
    "CompactionResult",
    Type.Object({
      summary: Type.String(),
      firstKeptEntryId: Type.String(),
      tokensBefore: Type.Number(),
      details: Type.Optional(Type.Unknown()),
    }),
  ),
  treePreparation: named<TreePreparation>(
    "TreePreparation",
    Type.Object({ targetId: Type.String(), userWantsSummary: Type.Boolean() }),
  ),
  model: named<Model>("Model", Type.Object({ id: Type.String(), provider: Type.String() })),
  skillEvent: named<SkillEvent>("SkillEvent", SkillEventSchema),
  signal: named<AbortSignal>("AbortSignal", {}),
  rules: named<Rule[]>("Rule[]", Type.Array(Type.Object({ name: Type.String() }))),
  goal: named<Goal | null>("Goal | null", {}),
  goalState: named<GoalModeState>("GoalModeState", {}),
  todos: named<TodoItem[]>("TodoItem[]", Type.Array(Type.Object({ content: Type.String() }))),
  record: Type.Record(Type.String(), Type.Unknown()),
  nullableId: Type.Union([Type.String(), Type.Null()]),
  /** One of several strings. */
  oneOf: <const T extends string>(...values: T[]) =>
    Type.Unsafe<T>({
      type: "string",
      enum: values,
      title: values.map((v) => `"${v}"`).join(" | "),
    }),
};
