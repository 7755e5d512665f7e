import { canWrite, type Reading } from "../../agents/index.ts";
import type { EventName } from "../../events/index.ts";
import { foldersElsewhere, type HookRecord } from "../../record/index.ts";
import type { RecordQueue } from "../record-queue.ts";

/** How long a tool that can write may be kept waiting for the snapshot of the files before it. */
const MOST_MS = 2_000;

const BEFORE: EventName = "tool_call";
const ENDS: readonly EventName[] = ["agent_end", "session_start", "session_shutdown"];
const DURING: readonly EventName[] = ["tool_execution_start", "tool_execution_end"];

interface Start {
  readonly hookId: string;
  /** Resolves when it is. */
  readonly recorded: () => Promise<void>;
}

interface Parts {
  readonly queue: Pick<RecordQueue, "recorded" | "ahead">;
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
  /** Lanes of agents that hide prompts, in a turn of which the record knows. */
  readonly #open = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A hook that starts a turn is in the journal. */
  begun(lane: string, { seq, hookId }: { readonly seq: number; readonly hookId: string }): void {
    this.#begin(lane, { hookId, recorded: () => this.#parts.queue.recorded(seq) });
  }

  #begin(lane: string, start: Start): void {
    this.#underWay.set(lane, start);
    void start.recorded().then(() => {
      if (this.#underWay.get(lane) === start) this.#underWay.delete(lane);
    });
  }

  /**
   * A hook of an agent that hides prompts. The first tool call after a turn begins the next one: the
   * record hears of it ahead of the answer, because the snapshot has to be taken before the tool.
   */
  untold(lane: string, call: Omit<HookRecord, "told">): void {
    const { events, id, seq } = call;
    if (events.includes("agent_start")) this.#open.add(lane);
    if (ENDS.some((name) => events.includes(name))) this.#open.delete(lane);
    if (!events.includes(BEFORE) || this.#open.has(lane)) return;
    this.#open.add(lane);
    // Its number lies between the hook before it and the hook itself, which is recorded in full
    // later.
    const ahead = { ...call, seq: seq - 0.5, events: [BEFORE], told: {} };
    const done = this.#parts.queue.ahead(ahead);
    this.#begin(lane, { hookId: id, recorded: () => done });
  }

  /**
   * What comes before a call that leads out of its folder; it resolves when the call may run. What
   * is there has to be seen before, and git must find the session there if the call commits.
   */
  visiting(call: Omit<HookRecord, "told">): (() => Promise<void>) | undefined {
    if (!call.events.includes(BEFORE)) return undefined;
    const touches = foldersElsewhere(call);
    if (touches.length === 0) return undefined;
    const seq = call.seq - 0.5;
    const ahead = { ...call, seq, events: [BEFORE], told: {}, touches, visiting: true } as const;
    return async () => {
      await this.#within(this.#parts.queue.ahead(ahead));
    };
  }

  /** Resolves with true if it took too long. */
  async #within(work: Promise<void>): Promise<boolean> {
    const { mostMs = MOST_MS } = this.#parts;
    let timer: NodeJS.Timeout | undefined;
    const isLate = await Promise.race([
      work.then(() => false),
      new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(true), mostMs);
      }),
    ]);
    clearTimeout(timer);
    return isLate;
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
    const isLate = await this.#within(start.recorded());
    if (isLate && this.#underWay.get(lane) === start) this.#passed(lane);
  }

  /** From now on the snapshot may contain what the turn writes; a note in the snapshot says so. */
  #passed(lane: string): void {
    const start = this.#underWay.get(lane);
    this.#underWay.delete(lane);
    if (start) this.#parts.overtaken(start.hookId);
  }
}
