import type { TSchema } from "typebox";
import type { AssistantMessage, ToolCall } from "../../../events/index.ts";
import type { ToolResult } from "../../../tools/index.ts";
import { validateToolArguments } from "../ai/diagnostics.ts";

/** A tool as Pi's agent knows it: without a context. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: TSchema;
  readonly executionMode?: "sequential" | "parallel";
  prepareArguments?(args: unknown): unknown;
  execute(
    id: string,
    params: never,
    signal?: AbortSignal,
    onUpdate?: (partial: ToolResult) => void,
  ): Promise<ToolResult>;
}

export interface Outcome {
  readonly toolCall: ToolCall;
  readonly result: ToolResult;
  readonly isError: boolean;
  readonly durationMs: number;
}

interface CallContext {
  readonly assistantMessage: AssistantMessage;
  readonly toolCall: ToolCall;
  readonly args: unknown;
  readonly context: object;
}

export interface ToolHooks {
  readonly beforeToolCall?: (
    call: CallContext,
    signal?: AbortSignal,
  ) => Promise<{ block?: boolean; reason?: string; terminate?: boolean } | undefined>;
  readonly afterToolCall?: (
    call: CallContext & { result: ToolResult; isError: boolean },
    signal?: AbortSignal,
  ) => Promise<Partial<ToolResult> | undefined>;
}

export interface RunToolCallOptions extends ToolHooks {
  readonly tools: readonly AgentTool[];
  readonly assistantMessage: AssistantMessage;
  readonly context: object;
  readonly signal?: AbortSignal;
  readonly onUpdate?: (partial: ToolResult) => unknown;
}

const failed = (text: string): ToolResult => ({
  content: [{ type: "text", text }],
  details: undefined,
  isError: true,
});

/** One call with its checks and hooks. Whatever goes wrong is its result. */
export async function runToolCall(
  toolCall: ToolCall,
  options: RunToolCallOptions,
): Promise<Outcome> {
  const startedAt = performance.now();
  const result = await attempt(toolCall, options).catch((thrown: unknown) =>
    failed(thrown instanceof Error ? thrown.message : String(thrown)),
  );
  const durationMs = Math.round(performance.now() - startedAt);
  return { toolCall, result, isError: result.isError === true, durationMs };
}

async function attempt(toolCall: ToolCall, options: RunToolCallOptions): Promise<ToolResult> {
  const { tools, assistantMessage, context, signal, beforeToolCall, afterToolCall, onUpdate } =
    options;
  const tool = tools.find(({ name }) => name === toolCall.name);
  if (!tool) return failed(`Tool ${toolCall.name} not found`);
  const raw = tool.prepareArguments?.(toolCall.arguments) ?? toolCall.arguments;
  const args = validateToolArguments(tool, { name: tool.name, arguments: Object(raw) });
  const call = { assistantMessage, toolCall, args, context };
  const before = await beforeToolCall?.(call, signal);
  if (before?.block) {
    const blocked = failed(before.reason ?? "Tool execution was blocked");
    return before.terminate ? { ...blocked, terminate: true } : blocked;
  }
  if (signal?.aborted) return failed("Operation aborted");
  // The arguments were checked against the tool's own schema above.
  const result = await tool
    .execute(toolCall.id, args as never, signal, (partial) => void onUpdate?.(partial))
    .catch((thrown: unknown) => failed(thrown instanceof Error ? thrown.message : String(thrown)));
  const change = await afterToolCall?.(
    { ...call, result, isError: result.isError === true },
    signal,
  );
  return change ? { ...result, ...change } : result;
}
