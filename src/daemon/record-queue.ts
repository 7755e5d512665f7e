import type { Reading } from "../agents/index.ts";
import type { EventName } from "../events/index.ts";
import type { HookRecord, Recorder } from "../record/index.ts";
import type { JournalEntry } from "./journal/entry.ts";
import type { EntryStore, Progress } from "./journal/refused-store.ts";
import type { Log } from "./log.ts";

/** Each session has a lane of its own. */
export function laneOfSession(agent: string, sessionId = ""): string {
  return `${agent}\0${sessionId}`;
}

/** An entry as the record gets it, without the decision about it. */
export function hookRecord(
  { seq, id, at, agent, hook, pid, cwd }: JournalEntry,
  reading: Reading | undefined,
  events: readonly EventName[],
): Omit<HookRecord, "told"> {
  const where = reading?.cwd ?? cwd;
  return {
    ...{ seq, id, at, agent, hook, events },
    ...(where !== undefined && { cwd: where }),
    ...(pid !== undefined && { pid }),
    ...(reading && { reading }),
  };
}

interface Waiting {
  readonly seq: number;
  readonly lane: string;
  record?: HookRecord;
  isRecorded?: boolean;
  /** Those who want to know when it is. */
  readonly tell: (() => void)[];
}

interface Parts {
  readonly recorder: Recorder;
  readonly journal: EntryStore;
  readonly cursor: Progress;
  readonly log: Log;
}

/**
 * Hands hooks to the recorder once their answer has left: those of a session in the order of the
 * journal, whatever other sessions wait for. Notes up to where all of them are recorded, so that
 * after a crash the rest is handed over again.
 */
export class RecordQueue {
  readonly #parts: Parts;
  /** All that is not recorded yet, or stands behind something that is not, in the journal's order. */
  readonly #waiting = new Map<number, Waiting>();
  readonly #lanes = new Map<string, Waiting[]>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Entries that are in the journal and not yet recorded. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Keeps the place of an entry; those of its session that come later wait until it is done. */
  expect(seq: number, lane: string): void {
    if (this.#waiting.has(seq)) return;
    const waiting: Waiting = { seq, lane, tell: [] };
    this.#waiting.set(seq, waiting);
    const others = this.#lanes.get(lane);
    if (others) others.push(waiting);
    else this.#lanes.set(lane, [waiting]);
  }

  done(record: HookRecord): void {
    const waiting = this.#waiting.get(record.seq);
    if (!waiting || waiting.record) return;
    waiting.record = record;
    const lane = this.#lanes.get(waiting.lane) ?? [];
    for (let next = lane[0]; next?.record; next = lane[0]) {
      lane.shift();
      this.#handOver(next, next.record);
    }
    if (lane.length === 0) this.#lanes.delete(waiting.lane);
  }

  /** What cannot wait for the answer, and is in the journal with the hook it was taken from. */
  async ahead(record: HookRecord): Promise<void> {
    await this.#accept(record);
  }

  /** Resolves when an entry is recorded; at once if it is, or is none of those that wait for it. */
  recorded(seq: number): Promise<void> {
    const waiting = this.#waiting.get(seq);
    if (!waiting || waiting.isRecorded) return Promise.resolve();
    return new Promise((resolve) => waiting.tell.push(resolve));
  }

  /** Resolves when everything that is done is also recorded. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  #handOver(waiting: Waiting, record: HookRecord): void {
    const work = this.#accept(record).finally(() => {
      this.#underWay.delete(work);
      waiting.isRecorded = true;
      for (const tell of waiting.tell.splice(0)) tell();
      this.#moveOn();
    });
    this.#underWay.add(work);
  }

  async #accept(record: HookRecord): Promise<void> {
    const { recorder, log } = this.#parts;
    // It runs later, so that the caller does not wait for it.
    await Promise.resolve();
    try {
      await recorder.accept(record);
    } catch (error) {
      log.failed(`hook ${record.seq} could not be recorded`, error);
    }
  }

  #moveOn(): void {
    const { journal, cursor, log } = this.#parts;
    let last: number | undefined;
    for (const { seq, isRecorded } of this.#waiting.values()) {
      if (!isRecorded) break;
      this.#waiting.delete(seq);
      last = seq;
    }
    if (last === undefined) return;
    try {
      // The order matters: an entry that was struck out must never be handed over again.
      cursor.move(last);
      journal.trim(last);
      journal.strike(last);
    } catch (error) {
      log.failed("the journal could not be moved on", error);
    }
  }
}
