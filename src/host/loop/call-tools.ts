import { type AskedCall, checkArguments } from "../../dispatch/index.ts";
import { messageOf } from "../../errors/index.ts";
import {
  type AssistantMessage,
  EVENTS,
  type EventMap,
  mismatch,
  type ToolCall,
  type ToolResultMessage,
  textOfContent,
} from "../../events/index.ts";
import { PROTECTION } from "../../protection/index.ts";
import type { ToolResult, ToolUpdate } from "../../tools/index.ts";
import { AbortedError, abortable } from "../abortable.ts";
import { argumentsProblem } from "../models/index.ts";
import type { ActiveTool } from "../tools/active-tool.ts";
import { toolCallsOf } from "./messages.ts";
import { beginCall, endCall, type Names, namesOf, recordToolResult } from "./record.ts";
import type { RunContext } from "./run-context.ts";

export interface ToolRound {
  readonly results: ToolResultMessage[];
  /** Every tool asked to stop here. */
  readonly terminate: boolean;
}

/** A call of the model's, or of a tool's. */
export type Call = ToolCall & { readonly parentToolCallId?: string };
export type Outcome = { call: Call; result: ToolResult };
/** A call that passed all checks and can run. */
type Ready = { call: Call; tool: ActiveTool; input: Record<string, unknown>; context?: string };

/**
 * Runs the tool calls of an answer. They are checked one after the other and run at the same time,
 * unless one of them must run alone; results are stored in the order of the calls.
 */
export async function callTools(
  run: RunContext,
  answer: AssistantMessage,
  answerId: string,
): Promise<ToolRound> {
  const calls = toolCallsOf(answer);
  const checked: (Outcome | Ready)[] = [];
  const alone = calls.some((call) => run.tools().get(call.name)?.executionMode === "sequential");
  const results: ToolResultMessage[] = [];
  let terminate = calls.length > 0;
  const finish = async ({ call, result }: Outcome) => {
    results.push(await recordToolResult(run, call, answerId, result));
    terminate &&= result.terminate === true;
  };
  for (const call of calls) {
    const next = await prepare(run, call, run.tools(), answer);
    if (!alone) checked.push(next);
    else await finish("result" in next ? next : await execute(run, next));
  }
  const running = checked.map((next) => ("result" in next ? next : execute(run, next)));
  for (const outcome of running) await finish(await outcome);
  return { results, terminate };
}

/** Everything before a tool runs. What fails here is answered without running anything. */
export async function prepare(
  run: RunContext,
  call: Call,
  tools: ReadonlyMap<string, ActiveTool>,
  answer?: AssistantMessage,
): Promise<Outcome | Ready> {
  const { emitter, signal, round } = run;
  const name = namesOf(call);
  await beginCall(run, call);
  const refuse = async (text: string, blocked?: { reason: string; by?: string }) => {
    const result: ToolResult = { content: [{ type: "text", text }], isError: true };
    await endCall(run, call, result, blocked);
    return { call, result };
  };
  if (signal.aborted) return refuse("The call was not made: the work was aborted.");
  if (answer?.stopReason === "error" || answer?.stopReason === "aborted") {
    return refuse("The call was not made: the answer broke off.");
  }
  if (answer?.stopReason === "length") {
    return refuse("The answer was cut off, so the call may be incomplete. Make it again, shorter.");
  }
  const tool = tools.get(call.name);
  if (!tool) {
    const names = [...tools.keys()].join(", ");
    return refuse(`There is no tool "${call.name}". There are: ${names}.`);
  }
  const malformed = argumentsProblem(call);
  if (malformed !== undefined) return refuse(malformed);
  let args: Record<string, unknown>;
  try {
    const checked = await checkArguments(tool.parameters, tool.prepare(call.arguments));
    if ("problem" in checked) return refuse(`The arguments are wrong: ${checked.problem}.`);
    args = checked.args;
  } catch (thrown) {
    return refuse(`The arguments are wrong: ${messageOf(thrown)}`);
  }
  const decision = await emitter.toolCall(
    { type: "tool_call", ...name, input: args },
    { signal, schema: tool.parameters, asker: (question) => asked(run, name, question) },
  );
  if (decision.blocked) {
    const { reason = "The call was blocked.", by, terminate = false } = decision;
    const refused = await refuse(reason, { reason, ...(by !== undefined && { by }) });
    return terminate ? { call, result: { ...refused.result, terminate } } : refused;
  }
  // What extensions made of the call is what would run; nobody is asked about one they have refused.
  const against = await run.against({ name: call.name, input: decision.input });
  if (against !== undefined) return refuse(against, { reason: against, by: PROTECTION });
  const input = ownCopy(decision.input);
  const { additionalContext, changedBy } = decision;
  round.inputs.set(call.id, {
    toolInput: decision.input,
    ...(changedBy.length > 0 && { originalInput: call.arguments }),
  });
  return {
    call,
    tool,
    input,
    ...(additionalContext !== undefined && { context: additionalContext }),
  };
}

/** Puts a question to a person, and tells that it does. */
async function asked(
  run: RunContext,
  name: Names,
  question: AskedCall,
): Promise<boolean | undefined> {
  const { emitter, asker } = run;
  const { reason } = question;
  emitter.emit({ type: "tool_approval_requested", ...name, reason });
  const approved = await asker(question);
  emitter.emit({ type: "tool_approval_resolved", ...name, approved: approved === true, reason });
  return approved;
}

/** A tool may change what it gets. Most inputs are flat; cloning those deeply takes many times longer. */
function ownCopy(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isFlat = Object.values(input).every((value) => typeof value !== "object");
  return isFlat ? { ...input } : structuredClone(input);
}

export async function execute(
  run: RunContext,
  ready: Ready,
  onProgress?: ToolUpdate,
): Promise<Outcome> {
  const { call, tool, input, context } = ready;
  const { emitter, signal } = run;
  const name = namesOf(call);
  const subagent = subagentOf(call, input);
  let result: ToolResult;
  try {
    // Aborted while another call was being asked about.
    if (subagent) await emitter.boundary({ type: "subagent_start", ...subagent }, signal);
    if (signal.aborted) throw new AbortedError("aborted");
    const onUpdate = (partialResult: ToolResult) => {
      onProgress?.(partialResult);
      emitter.emit({ type: "tool_execution_update", ...name, args: input, partialResult });
    };
    const running = tool.execute(call.id, input, signal, onUpdate);
    result = await abortable(Promise.resolve(running), signal);
    result = await transformed(run, name, input, result);
  } catch (thrown) {
    const text = thrown instanceof AbortedError ? "The work was aborted." : messageOf(thrown);
    const failed: ToolResult = { content: [{ type: "text", text }], isError: true };
    result = thrown instanceof AbortedError ? failed : await transformed(run, name, input, failed);
  }
  if (context !== undefined) {
    result = { ...result, content: [...result.content, { type: "text", text: context }] };
  }
  if (subagent) {
    const lastMessage = textOfContent(result.content);
    await emitter.boundary({ type: "subagent_end", ...subagent, lastMessage }, signal);
  }
  await endCall(run, call, result);
  return { call, result };
}

/** The result after extensions had their say. */
async function transformed(
  run: RunContext,
  name: Names,
  input: Record<string, unknown>,
  result: ToolResult,
): Promise<ToolResult> {
  const { content, details, isError = false, terminate, structuredContent, usage } = usable(result);
  const more = {
    ...(structuredContent !== undefined && { structuredContent }),
    ...(usage !== undefined && { usage }),
  };
  const { event, withheldBy } = await run.emitter.emit(
    { type: "tool_result", ...name, input, content, details, isError, ...more },
    run.signal,
  );
  if (withheldBy !== undefined) {
    const text = `The result was withheld: ${withheldBy} could not check it.`;
    return { content: [{ type: "text", text }], isError: true };
  }
  return {
    content: event.content,
    ...(event.details !== undefined && { details: event.details }),
    isError: event.isError,
    ...(event.structuredContent !== undefined && { structuredContent: event.structuredContent }),
    ...(event.usage !== undefined && { usage: event.usage }),
    ...(terminate && { terminate }),
  };
}

const CONTENT = EVENTS.tool_result.payload.properties.content;

/** Tools of extensions may return anything; what is no content would spoil the conversation. */
function usable(result: ToolResult | undefined): ToolResult {
  const problem = result?.content ? mismatch(CONTENT, result.content) : "it has no content";
  if (!result || problem) {
    throw new Error(`The tool's result cannot be used: ${problem}.`);
  }
  return result;
}

/** What extensions that hand work to other agents call their tool: Pi's example and ours. */
const SUBAGENT_TOOL = "subagent";

type Subagent = Omit<EventMap["subagent_start"], "type">;

/** A call that hands a task to another agent, as the subagent events tell of it. */
function subagentOf({ id, name }: ToolCall, input: Record<string, unknown>): Subagent | undefined {
  if (name !== SUBAGENT_TOOL) return undefined;
  const { agent, task } = input;
  return {
    toolCallId: id,
    ...(typeof agent === "string" && { subagentType: agent }),
    ...(typeof task === "string" && { taskDescription: task }),
    toolInput: input,
  };
}
