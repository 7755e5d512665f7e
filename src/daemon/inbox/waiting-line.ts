import type { WantedQuestion } from "./inbox.ts";
import type { Settled } from "./question.ts";
import { TOO_MANY, WITHDRAWN } from "./unanswered.ts";

/** Each costs a little memory. Whoever asks for more has gone mad. */
const MOST_STANDING = 10_000;

interface Standing {
  readonly wanted: WantedQuestion;
  /** Puts the question into the inbox before it returns. */
  readonly enter: () => void;
}

/** Questions that can wait for as long as it takes, while the inbox has no room for them. */
export class WaitingLine {
  readonly #standing = new Set<Standing>();

  /**
   * Resolves with the answer that the question gets once it was let in. One that has a deadline, or
   * that nobody may be there for, is closed at once.
   */
  stand(wanted: WantedQuestion, ask: () => Promise<Settled>): Promise<Settled> {
    const canWait = wanted.isPatient && wanted.deadline === undefined;
    if (!canWait || this.#standing.size >= MOST_STANDING) {
      return Promise.resolve({ cancelled: true, why: TOO_MANY });
    }
    return new Promise((resolve) => {
      const one: Standing = { wanted, enter: () => resolve(ask()) };
      this.#standing.add(one);
      const leave = () => {
        if (this.#standing.delete(one)) resolve({ cancelled: true, why: WITHDRAWN });
      };
      wanted.signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Lets in those for whom there is room now, in the order they came. */
  letIn(isFull: (wanted: WantedQuestion) => boolean): void {
    const full = new Set<string>();
    for (const one of this.#standing) {
      const { agent, session } = one.wanted;
      const whose = `${agent} ${session}`;
      if (full.has(whose)) continue;
      if (isFull(one.wanted)) {
        full.add(whose);
        continue;
      }
      this.#standing.delete(one);
      one.enter();
    }
  }
}
