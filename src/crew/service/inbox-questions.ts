import type { ServiceSurroundings } from "../../daemon/index.ts";
import { type CrewQuestion, QUESTION_KINDS } from "../model/crew-question.ts";

/** Puts the questions of crews into the inbox, where people answer everything else too. */
export class InboxQuestions {
  readonly #inbox: ServiceSurroundings["inbox"];
  readonly #answer: (id: string, value: string) => Promise<void>;
  readonly #open = new Map<string, AbortController>();

  constructor(
    inbox: ServiceSurroundings["inbox"],
    answer: (id: string, value: string) => Promise<void>,
  ) {
    this.#inbox = inbox;
    this.#answer = answer;
  }

  ask(question: CrewQuestion, cwd: string): void {
    if (this.#open.has(question.id)) return;
    const withdrawn = new AbortController();
    this.#open.set(question.id, withdrawn);
    void this.#wait(question, cwd, withdrawn.signal);
  }

  withdraw(id: string): void {
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }

  /** Whoever closes it takes it out of the inbox alone: the run still shows it, and waits on. */
  async #wait(question: CrewQuestion, cwd: string, signal: AbortSignal): Promise<void> {
    const { id, run, kind, title, message } = question;
    const choices = [...QUESTION_KINDS[kind]];
    const settled = await this.#inbox.ask({
      key: `crew:${id}`,
      agent: "seam",
      session: run,
      run,
      cwd,
      method: choices.length > 0 ? "select" : "input",
      title,
      message,
      ...(choices.length > 0 && { choices }),
      by: "crew",
      otherwise: "The task waits on.",
      isPatient: true,
      signal,
    });
    if ("value" in settled) await this.#answer(id, settled.value).catch(() => {});
    this.#open.delete(id);
  }
}
