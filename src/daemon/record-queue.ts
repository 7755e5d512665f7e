import type { HookRecord, Recorder } from "../record/index.ts";
import type { Cursor } from "./journal/cursor.ts";
import type { Journal } from "./journal/journal.ts";
import type { Log } from "./log.ts";

interface Waiting {
  readonly seq: number;
  record: HookRecord | undefined;
}

interface Parts {
  readonly recorder: Recorder;
  readonly journal: Journal;
  readonly cursor: Cursor;
  readonly log: Log;
}

/**
 * Hands hooks to the recorder one after the other, in the order of the journal, once their answer
 * has left. Notes how far it came, so that after a crash the rest is handed over again.
 */
export class RecordQueue {
  readonly #parts: Parts;
  readonly #waiting: Waiting[] = [];
  readonly #bySeq = new Map<number, Waiting>();
  #pumping: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Entries that are in the journal and not yet recorded. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Keeps the place of an entry; those behind it wait until it is done. */
  expect(seq: number): void {
    if (this.#bySeq.has(seq)) return;
    const waiting = { seq, record: undefined };
    this.#waiting.push(waiting);
    this.#bySeq.set(seq, waiting);
  }

  done(record: HookRecord): void {
    const waiting = this.#bySeq.get(record.seq);
    if (!waiting || waiting.record) return;
    waiting.record = record;
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = undefined;
    });
  }

  /** Resolves when everything that is done is also recorded. */
  async settled(): Promise<void> {
    while (this.#pumping) await this.#pumping;
  }

  async #pump(): Promise<void> {
    const { recorder, journal, cursor, log } = this.#parts;
    // Not on the time of whoever called.
    await Promise.resolve();
    for (let next = this.#waiting[0]; next?.record; next = this.#waiting[0]) {
      try {
        await recorder.accept(next.record);
      } catch (error) {
        log.failed(`hook ${next.seq} could not be recorded`, error);
      }
      this.#waiting.shift();
      this.#bySeq.delete(next.seq);
      try {
        cursor.move(next.seq);
        journal.trim(next.seq);
      } catch (error) {
        log.failed("the journal could not be moved on", error);
      }
    }
  }
}
