import { Type } from "typebox";
import { declare } from "../declaration.ts";
import { S } from "../schemas.ts";
import { SkillEventSchema } from "../skill-event.ts";

const call = {
  toolName: Type.String({ description: "Normalised: bash, read, write, edit …" }),
  toolCallId: Type.String(),
};
const persist = {
  sessionKey: Type.String(),
  agentId: Type.String(),
  toolName: Type.String(),
  toolCallId: Type.String(),
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
      input: S.record,
      nativeToolName: Type.Optional(Type.String({ description: "The agent's own name." })),
    }),
    result: Type.Object({
      ...decides,
      input: Type.Optional(S.record),
      additionalContext: Type.Optional(Type.String({ description: "Told to the model as well." })),
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
      input: S.record,
      originalInput: S.record,
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
      input: S.record,
      content: S.content,
      details: Type.Optional(Type.Unknown()),
      isError: Type.Boolean(),
    }),
    result: Type.Object({
      content: Type.Optional(S.content),
      details: Type.Optional(Type.Unknown()),
      isError: Type.Optional(Type.Boolean()),
    }),
    mutable: ["content", "details"],
    apply: (event, result) => {
      const { content, details, isError } = result as Record<string, unknown>;
      return {
        event: {
          ...event,
          ...(content !== undefined && { content }),
          ...(details !== undefined && { details }),
          ...(isError !== undefined && { isError }),
        },
      };
    },
  }),
  tool_execution_start: declare("tool_execution_start", {
    group: "tool",
    kind: "observe",
    doc: "A tool call begins.",
    payload: Type.Object({ ...call, args: Type.Unknown() }),
  }),
  tool_execution_update: declare("tool_execution_update", {
    group: "tool",
    kind: "observe",
    doc: "A running tool reported progress.",
    payload: Type.Object({ ...call, args: Type.Unknown(), partialResult: Type.Unknown() }),
  }),
  tool_execution_end: declare("tool_execution_end", {
    group: "tool",
    kind: "observe",
    doc: "A tool call ended; also when it was blocked, failed or was aborted.",
    payload: Type.Object({
      ...call,
      result: Type.Unknown(),
      isError: Type.Boolean(),
      blocked: Type.Optional(
        Type.Object(
          { reason: Type.String(), by: Type.Optional(Type.String()) },
          { description: "It did not run: who stopped it and why." },
        ),
      ),
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
    payload: Type.Object({ ...persist, toolResult: Type.Unknown() }),
  }),
  skill_invoked: declare("skill_invoked", {
    group: "tool",
    kind: "observe",
    doc: "A skill was used, by the model or by the user.",
    payload: Type.Object({ skillEvent: SkillEventSchema }),
  }),
};
