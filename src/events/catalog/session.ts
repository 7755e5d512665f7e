import { Type } from "typebox";
import { isRecord } from "../../values/index.ts";
import { declare } from "../declaration.ts";
import { about, S } from "../schemas.ts";

const Cancel = {
  cancel: Type.Optional(Type.Boolean({ description: "Stop: nothing happens." })),
};
const cancels = (result: Readonly<Record<string, unknown>>) => result.cancel === true;
const Replacement = about(
  S.oneOf("new", "resume", "fork"),
  "The session that takes its place is a new one, an earlier one, or made from this one.",
);
const previousSessionFile = Type.Optional(
  Type.String({ description: "The file of the session before, if it has one." }),
);
const targetSessionFile = Type.Optional(
  Type.String({ description: "The file of the session that follows, if it is known." }),
);
const signal = about(S.signal, "Fires when the user gives up waiting.");

export const sessionEvents = {
  session_start: declare("session_start", {
    group: "session",
    kind: "observe",
    doc: "A session was started, loaded or reloaded.",
    payload: Type.Object({
      reason: Type.Optional(
        about(
          S.oneOf("startup", "reload", "new", "resume", "fork"),
          "Why it begins: Seam started, extensions were loaded anew, or it replaced another one.",
        ),
      ),
      previousSessionFile,
    }),
  }),
  project_trust: declare("project_trust", {
    group: "session",
    kind: "claim",
    doc: "The project has extensions that nobody agreed to: an extension of the user's can decide.",
    payload: Type.Object({
      cwd: Type.String({ description: "The folder the session works in." }),
    }),
    result: Type.Object({
      trusted: about(
        S.oneOf("yes", "no"),
        "They run, or do not. `undecided` leaves it to the next handler, and to `seam trust`.",
      ),
      remember: Type.Optional(
        Type.Boolean({ description: "With `yes`: for good, as with `seam trust`." }),
      ),
    }),
    dialect: (result) => (isRecord(result) && result.trusted === "undecided" ? undefined : result),
  }),
  mcp_servers_change: declare("mcp_servers_change", {
    group: "session",
    kind: "observe",
    doc: "An extension registered an MCP server after the session had begun, or took one away.",
    payload: Type.Object({
      servers: Type.Array(
        Type.Object({
          name: Type.String({ description: "Its name." }),
          config: about(S.record, "How it is reached."),
          extensionPath: Type.String({ description: "The extension that registered it." }),
        }),
        { description: "All servers that extensions registered." },
      ),
    }),
  }),
  session_info_changed: declare("session_info_changed", {
    group: "session",
    kind: "observe",
    doc: "The session got another name.",
    payload: Type.Object({
      name: Type.Optional(
        Type.String({ description: "The name from now on; none if it was taken away." }),
      ),
    }),
  }),
  session_before_switch: declare("session_before_switch", {
    group: "session",
    kind: "gate",
    doc: "Before another session takes the place of this one.",
    payload: Type.Object({ reason: Replacement, targetSessionFile }),
    result: Type.Object({ ...Cancel }),
    stops: cancels,
  }),
  session_switch: declare("session_switch", {
    group: "session",
    kind: "observe",
    doc: "Another session took the place of the previous one.",
    payload: Type.Object({ reason: Replacement, previousSessionFile }),
  }),
  session_before_fork: declare("session_before_fork", {
    group: "session",
    kind: "gate",
    doc: "Before a new session is made from an entry of this one.",
    payload: Type.Object({
      entryId: Type.String({ description: "The entry the new session is made from." }),
      position: Type.Optional(
        about(S.oneOf("before", "at"), "Whether the entry itself goes along."),
      ),
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
    payload: Type.Object({
      entryId: Type.String({ description: "The entry the new session is made from." }),
    }),
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
    payload: Type.Object({ previousSessionFile }),
  }),
  session_before_compact: declare("session_before_compact", {
    group: "session",
    kind: "gate",
    doc: "Before the context is compacted. A handler can cancel, or bring its own summary.",
    deadlineMs: 120_000,
    payload: Type.Object({
      preparation: about(S.compactionPreparation, "What would be summarised and what is kept."),
      branchEntries: about(S.entries, "The session from its beginning to where it stands."),
      customInstructions: Type.Optional(
        Type.String({ description: "What the user wants the summary to look at." }),
      ),
      signal,
      reason: Type.Optional(
        about(
          S.oneOf("manual", "threshold", "overflow", "idle", "incomplete"),
          "Why now: the user asked, the context is nearly full, it was too long, nobody works, or an answer was cut off.",
        ),
      ),
      willRetry: Type.Optional(
        Type.Boolean({ description: "The model is asked again when there is room." }),
      ),
    }),
    result: Type.Object({
      ...Cancel,
      compaction: Type.Optional(about(S.compactionResult, "Used instead of asking the model.")),
    }),
    stops: cancels,
  }),
  "session.compacting": declare("session.compacting", {
    group: "session",
    kind: "transform",
    doc: "The summary is about to be asked for: add context, replace the prompt, keep data.",
    payload: Type.Object({
      sessionId: Type.String({ description: "The agent's session." }),
      messages: about(S.messages, "What is to be summarised."),
      context: Type.Optional(Type.Array(Type.String(), { description: "Added so far." })),
      prompt: Type.Optional(Type.String({ description: "Replaced so far." })),
      preserveData: Type.Optional(about(S.record, "Kept so far.")),
    }),
    result: Type.Object({
      context: Type.Optional(
        Type.Array(Type.String(), { description: "Lines the summary must consider." }),
      ),
      prompt: Type.Optional(Type.String({ description: "Used instead of the built-in prompt." })),
      preserveData: Type.Optional(about(S.record, "Kept with the summary, for extensions.")),
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
      compactionEntry: about(S.compactionEntry, "The entry with the summary."),
      fromExtension: Type.Boolean({ description: "The summary came from an extension." }),
      reason: Type.Optional(Type.String({ description: "What it was started for." })),
      willRetry: Type.Optional(Type.Boolean({ description: "The model is asked again now." })),
    }),
  }),
  session_compact_failed: declare("session_compact_failed", {
    group: "session",
    kind: "observe",
    doc: "A compaction did not come about.",
    payload: Type.Object({
      reason: Type.String({ description: "What it was started for." }),
      errorMessage: Type.Optional(Type.String({ description: "What went wrong." })),
      aborted: Type.Boolean({ description: "The user or an extension stopped it." }),
      willRetry: Type.Boolean({ description: "It is tried again." }),
      fromExtension: Type.Optional(
        Type.Boolean({ description: "The summary would have come from an extension." }),
      ),
    }),
  }),
  session_before_tree: declare("session_before_tree", {
    group: "session",
    kind: "gate",
    doc: "Before moving to another entry of the session tree.",
    deadlineMs: 120_000,
    payload: Type.Object({
      preparation: about(S.treePreparation, "Where it goes, and what is left behind."),
      signal,
    }),
    result: Type.Object({
      ...Cancel,
      summary: Type.Optional(
        Type.Object(
          {
            summary: Type.String({ description: "The text of the summary." }),
            details: Type.Optional(Type.Unknown({ description: "Kept with it." })),
          },
          { description: "The summary of what is left behind, if the user wants one." },
        ),
      ),
      customInstructions: Type.Optional(
        Type.String({ description: "What the summary has to look at." }),
      ),
      replaceInstructions: Type.Optional(
        Type.Boolean({ description: "These instructions take the place of the built-in ones." }),
      ),
      label: Type.Optional(Type.String({ description: "The label of the entry it goes to." })),
    }),
    stops: cancels,
  }),
  session_tree: declare("session_tree", {
    group: "session",
    kind: "observe",
    doc: "The session moved to another entry of its tree.",
    payload: Type.Object({
      newLeafId: about(S.nullableId, "The entry at which the session stands now."),
      oldLeafId: about(S.nullableId, "The entry at which it stood before."),
      summaryEntry: Type.Optional(
        about(S.branchSummaryEntry, "The entry with the summary of what was left behind."),
      ),
      fromExtension: Type.Optional(
        Type.Boolean({ description: "The summary came from an extension." }),
      ),
    }),
  }),
  session_shutdown: declare("session_shutdown", {
    group: "session",
    kind: "observe",
    doc: "The session ends; after this every pi and ctx of it is stale.",
    deadlineMs: 2_000,
    payload: Type.Object({
      reason: Type.Optional(
        about(
          S.oneOf("quit", "reload", "new", "resume", "fork"),
          "Why it ends: Seam ends, extensions are loaded anew, or another session takes its place.",
        ),
      ),
      targetSessionFile,
    }),
  }),
  resources_discover: declare("resources_discover", {
    group: "session",
    kind: "collect",
    doc: "Skills, prompts and themes are looked for: name more paths.",
    payload: Type.Object({
      cwd: Type.String({ description: "The folder the session works in." }),
      reason: about(
        S.oneOf("startup", "reload"),
        "The session starts, or everything is loaded anew.",
      ),
    }),
    result: Type.Object({
      skillPaths: Type.Optional(
        Type.Array(Type.String(), { description: "Files and folders with skills." }),
      ),
      promptPaths: Type.Optional(
        Type.Array(Type.String(), { description: "Files and folders with prompts." }),
      ),
      themePaths: Type.Optional(
        Type.Array(Type.String(), { description: "Files and folders with themes." }),
      ),
    }),
  }),
};
