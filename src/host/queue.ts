import type { CustomMessage, UserContent, UserMessage } from "../events/index.ts";

/**
 * steer: before the next model call. followUp: when the agent would stop. nextTurn: together with
 * the next prompt.
 */
export type QueueKind = "steer" | "followUp" | "nextTurn";

/** A message that waits until the agent comes to it. */
export interface QueuedMessage {
  readonly id: string;
  readonly kind: QueueKind;
  readonly message: UserMessage | CustomMessage;
}

/** Whether all that wait come up together, or one at each step. */
export type QueueMode = "all" | "one-at-a-time";

/** Messages that wait for their moment. Each can be looked at, changed and taken back. */
export class MessageQueue {
  #waiting: QueuedMessage[] = [];
  #count = 0;
  readonly modes: Record<"steer" | "followUp", QueueMode> = { steer: "all", followUp: "all" };

  get size(): number {
    return this.#waiting.length;
  }

  /** Messages that will make the agent work by themselves. */
  get pending(): number {
    return this.#waiting.filter(({ kind }) => kind !== "nextTurn").length;
  }

  add(kind: QueueKind, message: UserMessage | CustomMessage): string {
    const id = `queued-${++this.#count}`;
    this.#waiting.push({ id, kind, message });
    return id;
  }

  list(): readonly QueuedMessage[] {
    return [...this.#waiting];
  }

  /** False if the message is gone already. */
  edit(id: string, content: string | UserContent[]): boolean {
    const index = this.#waiting.findIndex((one) => one.id === id);
    const found = this.#waiting[index];
    if (!found) return false;
    this.#waiting[index] = { ...found, message: { ...found.message, content } };
    return true;
  }

  /** False if the message is gone already. */
  cancel(id: string): boolean {
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter((one) => one.id !== id);
    return this.#waiting.length < before;
  }

  clear(): void {
    this.#waiting = [];
  }

  /** Takes out the messages of a kind, oldest first: all of them, or one. */
  take(kind: QueueKind): QueuedMessage["message"][] {
    const waiting = this.#waiting.filter((one) => one.kind === kind);
    const isOne = kind !== "nextTurn" && this.modes[kind] === "one-at-a-time";
    const taken = isOne ? waiting.slice(0, 1) : waiting;
    this.#waiting = this.#waiting.filter((one) => !taken.includes(one));
    return taken.map(({ message }) => message);
  }
}
