import type { NestedToolCall, NestedToolCalls, ToolResultMessage } from "../../events/index.ts";

export interface CallInput {
  /** What runs. */
  readonly toolInput: unknown;
  /** What the model wanted, if an extension changed it. */
  readonly originalInput?: unknown;
}

/** More calls of one tool are made, and not kept. */
const MOST_NESTED = 200;

/** A model call and its tool calls: what of it is told of later. */
export class Round {
  turnIndex = 0;
  results: ToolResultMessage[] = [];
  /** Where in the session the results are. */
  entryIds: string[] = [];
  /** Of calls that were let through. */
  readonly inputs = new Map<string, CallInput>();
  /** When each call began. */
  readonly startedAt = new Map<string, number>();
  /** When each call ended: what happens after that is not its time. */
  readonly #endedAt = new Map<string, number>();
  /** By the call that made them, the calls of other tools. */
  readonly #nested = new Map<string, { calls: NestedToolCall[]; made: number }>();

  start(turnIndex: number): void {
    this.turnIndex = turnIndex;
    this.results = [];
    this.entryIds = [];
    this.startedAt.clear();
    this.#endedAt.clear();
    this.inputs.clear();
    this.#nested.clear();
  }

  /** How long a call took until this was first asked, in milliseconds. */
  durationOf(callId: string): number {
    const endedAt = this.#endedAt.get(callId) ?? performance.now();
    this.#endedAt.set(callId, endedAt);
    return Math.round(endedAt - (this.startedAt.get(callId) ?? endedAt));
  }

  /** Notes that a tool calls another one; its end is written into what is returned. */
  nest(callerId: string, name: string, made: Partial<NestedToolCall>): NestedToolCall {
    const nested = this.#nested.get(callerId) ?? { calls: [], made: 0 };
    this.#nested.set(callerId, nested);
    const id = `${callerId}/${++nested.made}`;
    const call: NestedToolCall = { ...made, id, name, status: "unfinished" };
    if (nested.calls.length < MOST_NESTED) nested.calls.push(call);
    return call;
  }

  nestedOf(callerId: string): NestedToolCalls | undefined {
    const nested = this.#nested.get(callerId);
    if (!nested) return undefined;
    const { calls, made } = nested;
    const isWhole = ({ status, argumentsBytes }: NestedToolCall) =>
      status !== "unfinished" && argumentsBytes === undefined;
    return {
      calls: calls.map((call) => ({ ...call })),
      complete: made === calls.length && calls.every(isWhole),
    };
  }
}
