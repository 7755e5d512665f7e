import type { ToolResultMessage } from "../../events/index.ts";

export interface CallInput {
  /** What runs. */
  readonly toolInput: unknown;
  /** What the model wanted, if an extension changed it. */
  readonly originalInput?: unknown;
}

/** A model call and its tool calls: what of it is told of later. */
export class Round {
  turnIndex = 0;
  results: ToolResultMessage[] = [];
  /** Where in the session the results are. */
  entryIds: string[] = [];
  /** When each call began. */
  readonly startedAt = new Map<string, number>();
  /** Of calls that were let through. */
  readonly inputs = new Map<string, CallInput>();

  start(turnIndex: number): void {
    this.turnIndex = turnIndex;
    this.results = [];
    this.entryIds = [];
    this.startedAt.clear();
    this.inputs.clear();
  }
}
