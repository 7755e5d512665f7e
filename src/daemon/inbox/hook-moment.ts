import type { Reading } from "../../agents/index.ts";
import type { Decision, Permission } from "../../dispatch/index.ts";
import { answerIn, type QuestionedCall, type Settled } from "./question.ts";
import { questionedCall } from "./questioned-call.ts";
import { HELD } from "./unanswered.ts";

/**
 * Every command hook that times out lets its call pass, so Seam answers before. Agents wait for a
 * gate for ten minutes (`agents/install/timeouts.ts`), and clients for ten seconds less.
 */
const LONGEST_MS = 560_000;

/** One hook while it is decided, for the questions that come up about it. */
export class HookMoment {
  readonly id: string;
  /** When Seam has to answer at the latest, in milliseconds since 1970. */
  readonly deadline: number;
  readonly #reading: Reading;
  readonly #asked = new Map<string, number>();
  /** Somebody said "not now", and nobody said more until it was too late. */
  #isPutOff = false;
  #permission: Permission | undefined;

  constructor({ id, at }: { readonly id: string; readonly at: string }, reading: Reading) {
    this.id = id;
    // By this machine's clock, as the question is watched; a hook that lay in the spool has waited.
    const begun = Date.parse(at);
    const now = Date.now();
    this.deadline = Math.min(Number.isNaN(begun) ? now : begun, now) + LONGEST_MS;
    this.#reading = reading;
  }

  get isPutOff(): boolean {
    return this.#isPutOff;
  }

  /** The tool call that the hook tells of, as it would run. */
  call(inputs: Decision["inputs"] = []): QuestionedCall | undefined {
    const { tools = [], cwd } = this.#reading;
    return questionedCall(tools, inputs, cwd);
  }

  /** The same for the same question when the handler asks again after the daemon was killed. */
  keyFor(content: string): string {
    const times = (this.#asked.get(content) ?? 0) + 1;
    this.#asked.set(content, times);
    return `${this.id}/${times}/${content}`;
  }

  /** Who answered last, and the extension that asked: what is not stopped after that was allowed. */
  get permission(): Permission | undefined {
    return this.#permission;
  }

  /** Notes what became of a question, and gives the answer to it. */
  heard(settled: Settled, by: string): string | undefined {
    if ("value" in settled) this.#permission = { who: settled.who, by };
    if ("cancelled" in settled && settled.why === HELD) this.#isPutOff = true;
    return answerIn(settled);
  }
}
