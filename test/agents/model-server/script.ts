/** What the model says: written by a test, played by the server. */
import type { Heard } from "./wire.ts";

/**
 * Tokens of one answer. `input` is what came from no cache and `output` is what was not reasoning:
 * each API adds them up its own way.
 */
export interface Usage {
  readonly input?: number;
  readonly cached?: number;
  readonly cacheWrite?: number;
  readonly output?: number;
  readonly reasoning?: number;
}

/** A tool call in the agent's own words. A text as input makes it a free-form call (Codex). */
export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>> | string;
  readonly id?: string;
  readonly namespace?: string;
}

/** A call that depends on what the model heard, e.g. on an id in the last tool result. */
export type LateToolCall = (heard: readonly Heard[]) => ToolCall;

export interface Turn<Call = ToolCall> {
  readonly text?: string;
  readonly thinking?: string;
  readonly toolCalls?: readonly Call[];
  readonly usage?: Usage;
  /** How long the model thinks before it answers. */
  readonly waitMs?: number;
  /** What happens at the moment in which the agent came for this turn. */
  readonly meanwhile?: () => void;
  /** Answer with this HTTP error instead. Agents repeat after 429 and 5xx: give the turn after it too. */
  readonly error?: { readonly status: number; readonly message: string };
}

export interface Script<Call = ToolCall | LateToolCall> {
  readonly turns: readonly Turn<Call>[];
  /** Turns for a conversation that a user text with these words started, i.e. a subagent's. */
  readonly subagents?: readonly {
    readonly prompt: string;
    readonly turns: readonly Turn<Call>[];
  }[];
  /** The answer to calls the agent makes for itself: titles, summaries. */
  readonly side?: string;
}

export const DEFAULT_USAGE: Required<Usage> = {
  input: 100,
  cached: 0,
  cacheWrite: 0,
  output: 10,
  reasoning: 0,
};

export function usageOf(turn: Turn): Required<Usage> {
  return { ...DEFAULT_USAGE, ...turn.usage };
}
