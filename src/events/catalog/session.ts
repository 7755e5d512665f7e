import { Type } from "typebox";
import { declare } from "../declaration.ts";
import { S } from "../schemas.ts";

const Cancel = {
  cancel: Type.Optional(Type.Boolean({ description: "Stop: nothing happens." })),
};
const cancels = (result: Readonly<Record<string, unknown>>) => result.cancel === true;
const Replacement = S.oneOf("new", "resume", "fork");

export const sessionEvents = {
  session_start: declare("session_start", {
    group: "session",
    kind: "observe",
    doc: "A session was started, loaded or reloaded.",
    payload: Type.Object({
      reason: Type.Optional(S.oneOf("startup", "reload", "new", "resume", "fork")),
      previousSessionFile: S.sessionFile,
    }),
  }),
  session_before_switch: declare("session_before_switch", {
    group: "session",
    kind: "gate",
    doc: "Before another session takes the place of this one.",
    payload: Type.Object({ reason: Replacement, targetSessionFile: S.sessionFile }),
    result: Type.Object({ ...Cancel }),
    stops: cancels,
  }),
  session_switch: declare("session_switch", {
    group: "session",
    kind: "observe",
    doc: "Another session took the place of the previous one.",
    payload: Type.Object({ reason: Replacement, previousSessionFile: S.sessionFile }),
  }),
  session_before_fork: declare("session_before_fork", {
    group: "session",
    kind: "gate",
    doc: "Before a new session is made from an entry of this one.",
    payload: Type.Object({
      entryId: Type.String(),
      position: Type.Optional(S.oneOf("before", "at")),
    }),
    result: Type.Object({
      ...Cancel,
      skipConversationRestore: Type.Optional(
        Type.Boolean({ description: "Make the session, leave the conversation as it is." }),
      ),
    }),
    stops: cancels,
  }),
  session_before_branch: declare("session_before_branch", {
    group: "session",
    kind: "gate",
    doc: "The same moment as session_before_fork, under oh-my-pi's name.",
    payload: Type.Object({ entryId: Type.String() }),
    result: Type.Object({
      ...Cancel,
      skipConversationRestore: Type.Optional(
        Type.Boolean({ description: "Make the session, leave the conversation as it is." }),
      ),
    }),
    stops: cancels,
  }),
  session_branch: declare("session_branch", {
    group: "session",
    kind: "observe",
    doc: "A new session was made from an entry of the previous one.",
    payload: Type.Object({ previousSessionFile: S.sessionFile }),
  }),
  session_before_compact: declare("session_before_compact", {
    group: "session",
    kind: "gate",
    doc: "Before the context is compacted. A handler can cancel, or bring its own summary.",
    deadlineMs: 120_000,
    payload: Type.Object({
      preparation: S.compactionPreparation,
      branchEntries: S.entries,
      customInstructions: Type.Optional(Type.String()),
      signal: S.signal,
      reason: Type.Optional(S.oneOf("manual", "threshold", "overflow", "idle", "incomplete")),
    }),
    result: Type.Object({ ...Cancel, compaction: Type.Optional(S.compactionResult) }),
    stops: cancels,
  }),
  "session.compacting": declare("session.compacting", {
    group: "session",
    kind: "transform",
    doc: "The summary is about to be asked for: add context, replace the prompt, keep data.",
    payload: Type.Object({
      sessionId: Type.String(),
      messages: S.messages,
      context: Type.Optional(Type.Array(Type.String(), { description: "Added so far." })),
      prompt: Type.Optional(Type.String({ description: "Replaced so far." })),
      preserveData: Type.Optional(S.record),
    }),
    result: Type.Object({
      context: Type.Optional(
        Type.Array(Type.String(), { description: "Lines the summary must consider." }),
      ),
      prompt: Type.Optional(Type.String({ description: "Used instead of the built-in prompt." })),
      preserveData: Type.Optional(S.record),
    }),
    apply: (event, result) => {
      const { context, prompt, preserveData } = result as {
        context?: string[];
        prompt?: string;
        preserveData?: object;
      };
      const before = event as { context?: string[]; preserveData?: object };
      return {
        event: {
          ...event,
          ...(context && { context: [...(before.context ?? []), ...context] }),
          ...(prompt !== undefined && { prompt }),
          ...(preserveData && { preserveData: { ...before.preserveData, ...preserveData } }),
        },
      };
    },
  }),
  session_compact: declare("session_compact", {
    group: "session",
    kind: "observe",
    doc: "The context was compacted and the summary is on disk.",
    payload: Type.Object({
      compactionEntry: S.compactionEntry,
      fromExtension: Type.Boolean({ description: "The summary came from an extension." }),
    }),
  }),
  session_compact_failed: declare("session_compact_failed", {
    group: "session",
    kind: "observe",
    doc: "A compaction did not come about.",
    payload: Type.Object({
      reason: Type.String(),
      errorMessage: Type.Optional(Type.String()),
      aborted: Type.Boolean(),
      willRetry: Type.Boolean(),
    }),
  }),
  session_before_tree: declare("session_before_tree", {
    group: "session",
    kind: "gate",
    doc: "Before moving to another entry of the session tree.",
    deadlineMs: 120_000,
    payload: Type.Object({ preparation: S.treePreparation, signal: S.signal }),
    result: Type.Object({
      ...Cancel,
      summary: Type.Optional(
        Type.Object({ summary: Type.String(), details: Type.Optional(Type.Unknown()) }),
      ),
      customInstructions: Type.Optional(Type.String()),
      replaceInstructions: Type.Optional(Type.Boolean()),
      label: Type.Optional(Type.String()),
    }),
    stops: cancels,
  }),
  session_tree: declare("session_tree", {
    group: "session",
    kind: "observe",
    doc: "The session moved to another entry of its tree.",
    payload: Type.Object({
      newLeafId: S.nullableId,
      oldLeafId: S.nullableId,
      summaryEntry: Type.Optional(S.branchSummaryEntry),
      fromExtension: Type.Optional(Type.Boolean()),
    }),
  }),
  session_shutdown: declare("session_shutdown", {
    group: "session",
    kind: "observe",
    doc: "The session ends; after this every pi and ctx of it is stale.",
    deadlineMs: 2_000,
    payload: Type.Object({
      reason: Type.Optional(S.oneOf("quit", "reload", "new", "resume", "fork")),
      targetSessionFile: S.sessionFile,
    }),
  }),
  resources_discover: declare("resources_discover", {
    group: "session",
    kind: "collect",
    doc: "Skills, prompts and themes are looked for: name more paths.",
    payload: Type.Object({ cwd: Type.String(), reason: S.oneOf("startup", "reload") }),
    result: Type.Object({
      skillPaths: Type.Optional(Type.Array(Type.String())),
      promptPaths: Type.Optional(Type.Array(Type.String())),
      themePaths: Type.Optional(Type.Array(Type.String())),
    }),
  }),
};
