import { Type } from "typebox";
import { declare } from "../declaration.ts";
import { about, S } from "../schemas.ts";

const named = {
  toolName: Type.String({ description: "Normalised: bash, read, write, edit …" }),
  toolCallId: Type.String({ description: "The agent's id of this call." }),
};
const call = {
  ...named,
  parentToolCallId: Type.Optional(
    Type.String({ description: "The call of the tool that made this one, if a tool did." }),
  ),
};
const input = about(S.record, "What the tool is called with.");
const persist = {
  sessionKey: Type.String({ description: "The id of the session." }),
  agentId: Type.String({ description: "The agent whose session it is." }),
  ...named,
  toolInput: Type.Unknown({ description: "What ran, or what the model wanted if nothing did." }),
  originalInput: Type.Optional(
    Type.Unknown({ description: "What the model wanted, if an extension changed it." }),
  ),
  messageId: Type.String({ description: "Id of the entry the call is stored under." }),
};
const blocks = (result: Readonly<Record<string, unknown>>) => result.block === true;
const asks = (result: Readonly<Record<string, unknown>>) => result.ask === true;
const decides = {
  block: Type.Optional(Type.Boolean({ description: "The call does not run." })),
  ask: Type.Optional(Type.Boolean({ description: "The user decides whether the call runs." })),
  reason: Type.Optional(
    Type.String({ description: "Told to the model, and to the user who is asked." }),
  ),
  unanswered: Type.Optional(
    Type.Union([Type.Literal("block"), Type.Literal("allow")], {
      description: "With `ask`: what happens if nobody can be asked. `block` if it is left out.",
    }),
  ),
};

export const toolEvents = {
  tool_call: declare("tool_call", {
    group: "tool",
    kind: "gate",
    doc: "Before a tool runs: block it, have the user asked about it, or change its input.",
    onFailure: "block",
    payload: Type.Object({
      ...call,
      input,
      nativeToolName: Type.Optional(
        Type.String({ description: "The agent's own name of the tool, if it has another one." }),
      ),
    }),
    result: Type.Object({
      ...decides,
      input: Type.Optional(about(S.record, "The tool is called with this instead.")),
      additionalContext: Type.Optional(Type.String({ description: "Told to the model as well." })),
      terminate: Type.Optional(
        Type.Boolean({ description: "With `block`: the agent stops after this round." }),
      ),
    }),
    mutable: ["input"],
    merge: (earlier, later) => ({
      ...earlier,
      ...later,
      ...(earlier.additionalContext && later.additionalContext
        ? { additionalContext: `${earlier.additionalContext}\n${later.additionalContext}` }
        : {}),
    }),
    stops: blocks,
    asks,
  }),
  tool_admit: declare("tool_admit", {
    group: "tool",
    kind: "gate",
    doc: "The last look: the input is final and frozen. A handler can block it, or have the user asked.",
    onFailure: "block",
    payload: Type.Object({
      ...call,
      input: about(S.record, "What the tool will be called with. Frozen."),
      originalInput: about(S.record, "What the model wanted, before extensions changed it."),
      changedBy: Type.Array(Type.String(), { description: "Extensions that changed the input." }),
    }),
    result: Type.Object(decides),
    stops: blocks,
    asks,
  }),
  tool_result: declare("tool_result", {
    group: "tool",
    kind: "transform",
    doc: "A tool has run: change what the model and the session get to see.",
    onFailure: "withhold",
    payload: Type.Object({
      ...call,
      input: about(S.record, "What the tool was called with."),
      content: about(S.content, "What the model gets to see of the result."),
      details: Type.Optional(
        Type.Unknown({ description: "What the tool keeps beside it, for people and extensions." }),
      ),
      isError: Type.Boolean({ description: "The tool failed." }),
      structuredContent: Type.Optional(
        Type.Unknown({ description: "The result as a value, of tools that give one." }),
      ),
      usage: Type.Optional(Type.Unknown({ description: "What the tool itself used of models." })),
    }),
    result: Type.Object({
      structuredContent: Type.Optional(Type.Unknown({ description: "The value instead." })),
      content: Type.Optional(about(S.content, "The model sees this instead.")),
      details: Type.Optional(Type.Unknown({ description: "Kept instead." })),
      isError: Type.Optional(Type.Boolean({ description: "Whether it counts as a failure." })),
      usage: Type.Optional(Type.Unknown({ description: "What it used of models, instead." })),
    }),
    mutable: ["content", "details"],
    apply: (event, result) => {
      const { content, details, isError, structuredContent, usage } = result as Record<
        string,
        unknown
      >;
      return {
        event: {
          ...event,
          // Another text is no longer what the value says.
          ...(content !== undefined && { content, structuredContent }),
          ...(structuredContent !== undefined && { structuredContent }),
          ...(details !== undefined && { details }),
          ...(isError !== undefined && { isError }),
          ...(usage !== undefined && { usage }),
        },
      };
    },
  }),
  tool_execution_start: declare("tool_execution_start", {
    group: "tool",
    kind: "observe",
    doc: "A tool call begins.",
    payload: Type.Object({
      ...call,
      args: Type.Unknown({ description: "What the tool is called with." }),
    }),
  }),
  tool_execution_update: declare("tool_execution_update", {
    group: "tool",
    kind: "observe",
    doc: "A running tool reported progress.",
    payload: Type.Object({
      ...call,
      args: Type.Unknown({ description: "What the tool is called with." }),
      partialResult: Type.Unknown({ description: "The result so far." }),
    }),
  }),
  tool_execution_end: declare("tool_execution_end", {
    group: "tool",
    kind: "observe",
    doc: "A tool call ended; also when it was blocked, failed or was aborted.",
    payload: Type.Object({
      ...call,
      result: Type.Unknown({ description: "What the tool returned, or why it did not run." }),
      isError: Type.Boolean({ description: "It failed or did not run." }),
      durationMs: Type.Optional(Type.Number({ description: "How long it took, in milliseconds." })),
      blocked: Type.Optional(
        Type.Object(
          {
            reason: Type.String({ description: "Why, as the model was told." }),
            by: Type.Optional(Type.String({ description: "The extension that stopped it." })),
          },
          { description: "It did not run: who stopped it and why." },
        ),
      ),
    }),
  }),
  tool_approval_requested: declare("tool_approval_requested", {
    group: "tool",
    kind: "observe",
    doc: "A person is asked whether a call may run.",
    payload: Type.Object({
      ...call,
      reason: Type.Optional(Type.String({ description: "Why it is asked about." })),
    }),
  }),
  tool_approval_resolved: declare("tool_approval_resolved", {
    group: "tool",
    kind: "observe",
    doc: "The person answered, or nobody did.",
    payload: Type.Object({
      ...call,
      approved: Type.Boolean({ description: "The call may run." }),
      reason: Type.Optional(Type.String({ description: "Why it was asked about." })),
    }),
  }),
  before_tool_call_persist: declare("before_tool_call_persist", {
    group: "tool",
    kind: "observe",
    doc: "The entry of a tool result is formed and not yet written; it is, once the handlers are done or out of time. Also of calls that were stopped.",
    payload: Type.Object(persist),
  }),
  after_tool_call_persist: declare("after_tool_call_persist", {
    group: "tool",
    kind: "observe",
    doc: "The entry of a tool result is on disk; `toolResult` is what was stored. Of a call that was stopped it says why.",
    payload: Type.Object({
      ...persist,
      toolResult: Type.Unknown({ description: "What was stored as its result." }),
    }),
  }),
  skill_invoked: declare("skill_invoked", {
    group: "tool",
    kind: "observe",
    doc: "A skill was used, by the model or by the user.",
    payload: Type.Object({
      skillEvent: about(S.skillEvent, "Which skill, who used it, and how it is known."),
    }),
  }),
};
