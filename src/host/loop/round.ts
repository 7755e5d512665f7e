import type { AssistantMessage, ToolResultMessage } from "../../events/index.ts";
import type { ToolResult } from "../../tools/index.ts";

export interface CallInput {
  /** What runs. */
  readonly toolInput: unknown;
  /** What the model wanted, if an extension changed it. */
  readonly originalInput?: unknown;
}

/**
 * How far a model call and its tool calls have come. The loop may be lost together with an
 * extension that the thread is taken from; then someone else has to bring this to its end.
 */
export class Round {
  turnIndex = 0;
  /** Between turn_start and turn_end. */
  isOpen = false;
  answer: { readonly message: AssistantMessage; readonly entryId: string } | undefined;
  results: ToolResultMessage[] = [];
  /** Calls of which it was told that they begin. */
  readonly begun = new Set<string>();
  /** Those of which it was told that they ended, and how. */
  readonly ended = new Map<string, ToolResult>();
  /** Of calls that were let through. */
  readonly inputs = new Map<string, CallInput>();

  start(turnIndex: number): void {
    this.turnIndex = turnIndex;
    this.isOpen = true;
    this.answer = undefined;
    this.results = [];
    this.begun.clear();
    this.ended.clear();
    this.inputs.clear();
  }
}
