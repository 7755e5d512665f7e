import type { TSchema } from "typebox";
import { SeamError } from "../errors/index.ts";
import { type EventMap, mismatch } from "../events/index.ts";
import { type Ask, type Asker, joinAsks, unasked } from "./ask.ts";
import type { GateDecision } from "./decision.ts";
import type { Dispatcher, EmitOptions } from "./dispatcher.ts";
import { copyPlain, freezePlain, isTooDeep } from "./plain.ts";

type Input = Record<string, unknown>;

/** What becomes of a tool call. Only `input` may be run. */
export interface ToolCallDecision {
  /** With `ask`: what becomes of the call if nobody can be asked. */
  readonly blocked: boolean;
  readonly reason?: string;
  /** A person is to decide, and was not asked yet. */
  readonly ask?: Ask;
  readonly by?: string;
  readonly failed?: boolean;
  readonly aborted: boolean;
  readonly additionalContext?: string;
  /** Blocked, and the agent is to stop after this round. */
  readonly terminate?: boolean;
  readonly originalInput: Readonly<Input>;
  /** Final and frozen: what every handler of tool_admit saw. */
  readonly input: Readonly<Input>;
  readonly changedBy: readonly string[];
  readonly trace?: GateDecision["trace"];
}

interface ToolCallOptions extends EmitOptions {
  readonly schema?: TSchema | undefined;
  /** Who can put a question to a person. Without it, questions are left to the caller. */
  readonly asker?: Asker | undefined;
}

/**
 * The whole way of a tool call: `tool_call` may block or change it, a changed input is checked
 * against the tool's schema again, and `tool_admit` has the last word on what will really run.
 * A person is asked only when no extension blocked it, and about the final input.
 *
 * @example
 * const { dispatcher } = await loadExtensions({ cwd: process.cwd(), sources: ["./no-rm.ts"] });
 * const call = { type: "tool_call", toolName: "bash", toolCallId: "1", input: { command: "ls" } } as const;
 * const { blocked, reason, input } = await decideToolCall(dispatcher, call);
 * console.log(blocked ? reason : input);
 */
export async function decideToolCall(
  dispatcher: Dispatcher,
  event: EventMap["tool_call"],
  options: ToolCallOptions = {},
): Promise<ToolCallDecision> {
  const decision = await askExtensions(dispatcher, event, options);
  const { ask, input } = decision;
  if (!ask || !options.asker || decision.aborted) return decision;
  const isAllowed = await options.asker({ ...ask, toolName: event.toolName, input });
  if (isAllowed === undefined) return decision;
  const { ask: _, blocked: __, reason: ___, by: ____, ...rest } = decision;
  if (isAllowed) return { ...rest, blocked: false };
  return { ...rest, blocked: true, reason: `The user said no. ${ask.reason}`, by: ask.by };
}

async function askExtensions(
  dispatcher: Dispatcher,
  event: EventMap["tool_call"],
  options: ToolCallOptions,
): Promise<ToolCallDecision> {
  const originalInput = event.input;
  const listened = dispatcher.has("tool_call") || dispatcher.has("tool_admit");
  if (listened && isTooDeep(originalInput)) {
    // Nobody could vouch for what is down there.
    const reason = "The input is nested too deeply.";
    const input = originalInput;
    return {
      blocked: true,
      failed: true,
      reason,
      aborted: false,
      originalInput,
      input,
      changedBy: [],
    };
  }
  const called = await dispatcher.emit(event, options);
  const { changedBy } = called;
  const input = changedBy.length > 0 ? freezePlain(copyPlain(called.event.input)) : originalInput;
  const context = called.result?.additionalContext;
  const common = {
    aborted: called.aborted,
    originalInput,
    input,
    changedBy,
    ...(context !== undefined && { additionalContext: context }),
    ...(called.result?.terminate === true && { terminate: true }),
  };
  if (isRefused(called)) return { ...common, ...verdict(called), trace: called.trace };

  const problem = changedBy.length > 0 && options.schema && mismatch(options.schema, input);
  if (problem) {
    const by = changedBy.join(", ");
    const error = new SeamError("SEAM_TOOL_INPUT", { tool: event.toolName, by, detail: problem });
    return { ...common, blocked: true, failed: true, by, reason: error.message };
  }
  if (!dispatcher.has("tool_admit")) {
    return { ...common, ...verdict(called), ...(called.trace && { trace: called.trace }) };
  }
  const { type: _, ...ids } = event;
  const frozen = freezePlain(copyPlain(input));
  const admitted = await dispatcher.emit(
    {
      ...ids,
      type: "tool_admit",
      input: frozen,
      originalInput: freezePlain(copyPlain(originalInput)),
      changedBy: freezePlain([...changedBy]),
    },
    options,
  );
  return {
    ...common,
    input: frozen,
    aborted: admitted.aborted,
    ...together(called, admitted),
    ...(called.trace && { trace: [...called.trace, ...(admitted.trace ?? [])] }),
  };
}

type Said = Pick<GateDecision, "blocked" | "reason" | "by" | "failed" | "ask">;

/** Blocked, and not only until somebody was asked. */
function isRefused({ blocked, ask }: Said): boolean {
  return blocked && !ask;
}

/** What two gates come to that both were asked. */
function together(called: Said, admitted: Said): Said {
  if (isRefused(admitted) || !called.ask) return verdict(admitted);
  return unasked(admitted.ask ? joinAsks(called.ask, admitted.ask) : called.ask);
}

function verdict({ blocked, reason, by, failed, ask }: Said): Said {
  return {
    blocked,
    ...(reason !== undefined && { reason }),
    ...(by !== undefined && { by }),
    ...(failed && { failed }),
    ...(ask && { ask }),
  };
}
