import type { Handled } from "../hooks/hook-service.ts";
import type { AfterAnswers } from "./after-answers.ts";
import type { Caller } from "./caller.ts";

type Answered = Pick<Handled, "answer" | "delivered">;

export interface RecentAnswer {
  /** Of the hook. */
  readonly id: string;
  readonly answer: Promise<Answered>;
}

/** A hook that is not answered yet. */
interface Waiting {
  /** Who waits for it at the moment. */
  readonly callers: Set<Caller>;
  /** For how many looks in a row nobody has. */
  missed: number;
  look?: NodeJS.Timeout;
}

/**
 * A client that hung up may ring again: one that uses curl does so every few seconds. It is looked for
 * several times, so that a daemon that was held up itself finds it in the queue first.
 */
const LOOK_MS = 1_000;
const LOOKS = 5;

/** Those who brought a hook and were not answered yet. */
export class Callers {
  readonly #waiting = new Map<string, Waiting>();
  readonly #afterAnswers: AfterAnswers;
  readonly #abandoned: (hookId: string) => void;

  constructor(afterAnswers: AfterAnswers, abandoned: (hookId: string) => void) {
    this.#afterAnswers = afterAnswers;
    this.#abandoned = abandoned;
  }

  /**
   * Answers first; everything else comes after. Nothing does if the caller was left meanwhile: then
   * nothing was decided here, and the next daemon begins with the hook anew. `kept`: it is in the journal.
   */
  async answer(
    id: string,
    caller: Caller,
    handled: Promise<Handled>,
    kept?: () => void,
  ): Promise<void> {
    const waiting: Waiting = { callers: new Set(), missed: 0 };
    this.#waiting.set(id, waiting);
    this.#attend(id, waiting, caller);
    const done = await handled;
    clearTimeout(waiting.look);
    if (!this.#waiting.delete(id)) return;
    if (waiting.callers.size === 0) this.#abandoned(id);
    await give(done, caller);
    this.#afterAnswers.add(() => {
      done.after();
      if (done.kept) kept?.();
    });
  }

  /** Answers whoever asks for the same hook once more. */
  async answerAgain({ id, answer }: RecentAnswer, caller: Caller): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting) this.#attend(id, waiting, caller);
    await give(await answer, caller);
  }

  leave(which: (hookId: string) => boolean): void {
    for (const [id, { callers, look }] of [...this.#waiting]) {
      if (!which(id)) continue;
      clearTimeout(look);
      this.#waiting.delete(id);
      for (const caller of [...callers]) caller.leave();
    }
  }

  #attend(id: string, waiting: Waiting, caller: Caller): void {
    waiting.callers.add(caller);
    waiting.missed = 0;
    caller.whenOver(() => {
      waiting.callers.delete(caller);
      if (waiting.callers.size === 0 && this.#waiting.get(id) === waiting) this.#look(id, waiting);
    });
  }

  #look(id: string, waiting: Waiting): void {
    const look = () => {
      if (waiting.callers.size > 0 || this.#waiting.get(id) !== waiting) return;
      if (++waiting.missed < LOOKS) this.#look(id, waiting);
      else this.#abandoned(id);
    };
    clearTimeout(waiting.look);
    waiting.look = setTimeout(look, LOOK_MS).unref();
  }
}

async function give({ answer, delivered }: Answered, caller: Caller): Promise<void> {
  if (await caller.answer(answer)) delivered();
}
