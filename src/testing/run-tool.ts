import { type Asker, decideToolCall } from "../dispatch/index.ts";
import { messageOf } from "../errors/index.ts";
import { type EventMap, mismatch } from "../events/index.ts";
import type { ExtensionSet, Host } from "../extensions/index.ts";
import { askUser } from "../host/index.ts";
import type { ToolResult } from "../tools/index.ts";

/** As much of a host as it takes to run a tool. */
type Running = Pick<Host, "ui" | "hasUI"> & { readonly set: ExtensionSet };

/** Questions of gates go to the scripted person, like all others. */
export function askIn(host: Running): Asker {
  return (question) => askUser(host, question);
}

/** Runs a tool of an extension, with all events around it; `callerId`: the call of the tool that made it. */
export async function runTool(
  host: Running,
  { toolName, toolCallId }: { toolName: string; toolCallId: string },
  input: Record<string, unknown>,
  callerId?: string,
): Promise<ToolResult> {
  const { dispatcher } = host.set;
  const found = host.set.tools().find(({ tool }) => tool.name === toolName);
  if (!found) return failed(`There is no tool "${toolName}".`);
  const { tool, extension } = found;
  const parent = callerId === undefined ? {} : { parentToolCallId: callerId };
  const call = { toolName, toolCallId, ...parent };
  dispatcher.emit({ type: "tool_execution_start", ...call, args: input });
  let result: ToolResult;
  try {
    const args = (tool.prepareArguments?.(input) ?? input) as Record<string, unknown>;
    const problem = mismatch(tool.parameters, args);
    if (problem !== undefined) throw new Error(`The arguments are wrong: ${problem}.`);
    const { parameters: schema } = tool;
    const event = { type: "tool_call" as const, ...call, input: args };
    const decision = await decideToolCall(dispatcher, event, { schema, asker: askIn(host) });
    if (decision.blocked) {
      result = failed(decision.reason ?? "");
    } else {
      const onUpdate = (partialResult: ToolResult) =>
        void dispatcher.emit({ type: "tool_execution_update", ...call, args, partialResult });
      const ctx = host.set.toolContext(extension, toolCallId);
      const ran = await tool
        .execute(toolCallId, decision.input, undefined, onUpdate, ctx)
        .catch((thrown: unknown) => failed(messageOf(thrown)));
      result = await transformed(host, call, decision.input, ran);
    }
  } catch (thrown) {
    result = failed(messageOf(thrown));
  }
  dispatcher.emit({
    type: "tool_execution_end",
    ...call,
    result,
    isError: result.isError === true,
  });
  await dispatcher.settled();
  return result;
}

function failed(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

async function transformed(
  host: Running,
  call: { toolName: string; toolCallId: string; parentToolCallId?: string },
  input: Readonly<Record<string, unknown>>,
  { content, details, isError = false, terminate, structuredContent, usage }: ToolResult,
): Promise<ToolResult> {
  const before: EventMap["tool_result"] = {
    type: "tool_result",
    ...call,
    input: { ...input },
    content,
    details,
    isError,
    ...(structuredContent !== undefined && { structuredContent }),
    ...(usage !== undefined && { usage }),
  };
  const { event, withheldBy } = await host.set.dispatcher.emit(before);
  if (withheldBy !== undefined) {
    const text = `The result was withheld: ${withheldBy} failed to check it.`;
    return { content: [{ type: "text", text }], isError: true };
  }
  return {
    content: event.content,
    details: event.details,
    isError: event.isError,
    ...(event.structuredContent !== undefined && { structuredContent: event.structuredContent }),
    ...(event.usage !== undefined && { usage: event.usage }),
    ...(terminate && { terminate }),
  };
}
