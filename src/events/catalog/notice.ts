import { Type } from "typebox";
import { declare } from "../declaration.ts";
import { about, S } from "../schemas.ts";

const Action = about(
  S.oneOf("context-full", "handoff", "shake"),
  "How the context is made smaller. Seam itself only knows `context-full`, a summary.",
);

export const noticeEvents = {
  auto_compaction_start: declare("auto_compaction_start", {
    group: "notice",
    kind: "observe",
    doc: "The context is about to be compacted without being asked.",
    payload: Type.Object({
      reason: about(
        S.oneOf("threshold", "overflow", "idle", "incomplete"),
        "Why now: the context is nearly full, it was too long, nobody works, or an answer was cut off.",
      ),
      action: Action,
    }),
  }),
  auto_compaction_end: declare("auto_compaction_end", {
    group: "notice",
    kind: "observe",
    doc: "An automatic compaction ended, one way or another.",
    payload: Type.Object({
      action: Action,
      result: Type.Optional(about(S.compactionResult, "The summary, if there is one.")),
      aborted: Type.Boolean({ description: "The user or an extension stopped it." }),
      willRetry: Type.Boolean({ description: "The model is asked again now." }),
      errorMessage: Type.Optional(Type.String({ description: "Why there is no summary." })),
      skipped: Type.Optional(Type.Boolean({ description: "There was nothing to compact." })),
    }),
  }),
  auto_retry_start: declare("auto_retry_start", {
    group: "notice",
    kind: "observe",
    doc: "A model call failed and will be tried again.",
    payload: Type.Object({
      attempt: Type.Integer({ description: "Which attempt is next, from 1." }),
      maxAttempts: Type.Integer({ description: "How many attempts there are at most." }),
      delayMs: Type.Number({ description: "Milliseconds until the next attempt." }),
      errorMessage: Type.String({ description: "Why the call failed." }),
    }),
  }),
  auto_retry_end: declare("auto_retry_end", {
    group: "notice",
    kind: "observe",
    doc: "Trying again is over.",
    payload: Type.Object({
      success: Type.Boolean({ description: "An attempt succeeded." }),
      attempt: Type.Integer({ description: "The attempt that was the last one." }),
      finalError: Type.Optional(Type.String({ description: "Why the last attempt failed." })),
    }),
  }),
  retry_fallback_applied: declare("retry_fallback_applied", {
    group: "notice",
    kind: "observe",
    doc: "A model failed too often; another one goes on with the turn.",
    payload: Type.Object({
      from: Type.String({ description: "The model that failed: provider/id." }),
      to: Type.String({ description: "The model that goes on: provider/id." }),
      role: Type.String({ description: "What the model is for; Seam has one role, `default`." }),
      reason: Type.Optional(Type.String({ description: "Why the model failed." })),
    }),
  }),
  retry_fallback_succeeded: declare("retry_fallback_succeeded", {
    group: "notice",
    kind: "observe",
    doc: "The model that stood in has answered.",
    payload: Type.Object({
      model: Type.String({ description: "The model that answered: provider/id." }),
      role: Type.String({ description: "What the model is for; Seam has one role, `default`." }),
    }),
  }),
  mcp_notification: declare("mcp_notification", {
    group: "notice",
    kind: "observe",
    doc: "An MCP server that an extension registered said something by itself.",
    payload: Type.Object({
      server: Type.String({ description: "The server, by its name." }),
      method: Type.String({ description: "What it is about, in MCP's words." }),
      params: Type.Optional(Type.Unknown({ description: "What it said." })),
    }),
  }),
  ttsr_triggered: declare("ttsr_triggered", {
    group: "notice",
    kind: "observe",
    doc: "A rule recognised a pattern in the model's output.",
    payload: Type.Object({ rules: about(S.rules, "The rules whose pattern was found.") }),
  }),
  todo_reminder: declare("todo_reminder", {
    group: "notice",
    kind: "observe",
    doc: "The agent stopped with open todos and is reminded of them.",
    payload: Type.Object({
      todos: about(S.todos, "What is still open."),
      attempt: Type.Integer({ description: "Which reminder this is, from 1." }),
      maxAttempts: Type.Integer({ description: "How many reminders there are at most." }),
    }),
  }),
  goal_updated: declare("goal_updated", {
    group: "notice",
    kind: "observe",
    doc: "The session's goal was set, changed or dropped.",
    payload: Type.Object({
      goal: about(S.goal, "The goal as it is now; null if there is none any more."),
      state: Type.Optional(about(S.goalState, "Whether the agent works towards it.")),
    }),
  }),
};
