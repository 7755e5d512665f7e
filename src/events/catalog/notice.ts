import { Type } from "typebox";
import { declare } from "../declaration.ts";
import { S } from "../schemas.ts";

const Action = S.oneOf("context-full", "handoff", "shake");

export const noticeEvents = {
  auto_compaction_start: declare("auto_compaction_start", {
    group: "notice",
    kind: "observe",
    doc: "The context is about to be compacted without being asked.",
    payload: Type.Object({
      reason: S.oneOf("threshold", "overflow", "idle", "incomplete"),
      action: Action,
    }),
  }),
  auto_compaction_end: declare("auto_compaction_end", {
    group: "notice",
    kind: "observe",
    doc: "An automatic compaction ended, one way or another.",
    payload: Type.Object({
      action: Action,
      result: Type.Optional(S.compactionResult),
      aborted: Type.Boolean(),
      willRetry: Type.Boolean(),
      errorMessage: Type.Optional(Type.String()),
      skipped: Type.Optional(Type.Boolean()),
    }),
  }),
  auto_retry_start: declare("auto_retry_start", {
    group: "notice",
    kind: "observe",
    doc: "A model call failed and will be tried again.",
    payload: Type.Object({
      attempt: Type.Integer(),
      maxAttempts: Type.Integer(),
      delayMs: Type.Number(),
      errorMessage: Type.String(),
    }),
  }),
  auto_retry_end: declare("auto_retry_end", {
    group: "notice",
    kind: "observe",
    doc: "Trying again is over.",
    payload: Type.Object({
      success: Type.Boolean(),
      attempt: Type.Integer(),
      finalError: Type.Optional(Type.String()),
    }),
  }),
  ttsr_triggered: declare("ttsr_triggered", {
    group: "notice",
    kind: "observe",
    doc: "A rule recognised a pattern in the model's output.",
    payload: Type.Object({ rules: S.rules }),
  }),
  todo_reminder: declare("todo_reminder", {
    group: "notice",
    kind: "observe",
    doc: "The agent stopped with open todos and is reminded of them.",
    payload: Type.Object({
      todos: S.todos,
      attempt: Type.Integer(),
      maxAttempts: Type.Integer(),
    }),
  }),
  goal_updated: declare("goal_updated", {
    group: "notice",
    kind: "observe",
    doc: "The session's goal was set, changed or dropped.",
    payload: Type.Object({ goal: S.goal, state: Type.Optional(S.goalState) }),
  }),
};
