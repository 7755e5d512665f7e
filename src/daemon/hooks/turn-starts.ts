import { canWrite, type Reading } from "../../agents/index.ts";
import type { EventName } from "../../events/index.ts";
import type { RecordQueue } from "../record-queue.ts";

/** How long a tool that can write may be kept waiting for the snapshot of the files before it. */
const MOST_MS = 2_000;

const BEFORE: EventName = "tool_call";
const DURING: readonly EventName[] = ["tool_execution_start", "tool_execution_end"];

interface Start {
  readonly seq: number;
  readonly hookId: string;
}

interface Parts {
  readonly queue: Pick<RecordQueue, "recorded">;
  /** The agent goes on although the hook that started its turn is not recorded yet. */
  readonly overtaken: (hookId: string) => void;
  readonly mostMs?: number;
}

/**
 * Turns whose start is being recorded, which includes a snapshot of the work tree. The prompt is
 * answered without waiting for it; the first tool of the turn that can write waits, so that what it
 * writes is not taken for what was there before.
 */
export class TurnStarts {
  readonly #parts: Parts;
  /** By the lane of the session. */
  readonly #underWay = new Map<string, Start>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A hook that starts a turn is in the journal. */
  begun(lane: string, start: Start): void {
    this.#underWay.set(lane, start);
    void this.#parts.queue.recorded(start.seq).then(() => {
      if (this.#underWay.get(lane) === start) this.#underWay.delete(lane);
    });
  }

  /**
   * Resolves when the agent may be told to go on: at once, unless it is about to call the first tool
   * of its turn that can write. Agents that tell of a tool when it runs already wait for nothing.
   */
  async reached(lane: string, events: readonly EventName[], reading: Reading): Promise<void> {
    if (!this.#underWay.has(lane) || !reading.tools?.some(canWrite)) return;
    if (events.includes(BEFORE)) await this.beforeWrite(lane);
    else if (DURING.some((name) => events.includes(name))) this.#passed(lane);
  }

  /** Resolves when the snapshot is taken, or is waited for no longer. */
  async beforeWrite(lane: string): Promise<void> {
    const start = this.#underWay.get(lane);
    if (!start) return;
    const { queue, mostMs = MOST_MS } = this.#parts;
    let timer: NodeJS.Timeout | undefined;
    const isLate = await Promise.race([
      queue.recorded(start.seq).then(() => false),
      new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(true), mostMs);
      }),
    ]);
    clearTimeout(timer);
    if (isLate && this.#underWay.get(lane) === start) this.#passed(lane);
  }

  /** From now on what the turn writes may be in the snapshot: that is noted in it. */
  #passed(lane: string): void {
    const start = this.#underWay.get(lane);
    this.#underWay.delete(lane);
    if (start) this.#parts.overtaken(start.hookId);
  }
}
