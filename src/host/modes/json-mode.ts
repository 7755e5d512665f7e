import type { SeamEvent } from "../../events/index.ts";
import type { EmbeddedAgent } from "../embedded-agent.ts";
import type { Prompt } from "../prompt-input.ts";
import { jsonEvent, jsonLine } from "./json-event.ts";
import { saysSomething } from "./says-something.ts";

/**
 * Prompts, one after the other; every event is a line of JSON, the session's header first. `take` is for `onEvent` of
 * the agent: its events begin before there is an agent to ask, and end when it is disposed of.
 */
export class JsonMode {
  readonly #write: (line: string) => void;
  readonly #shown: (event: SeamEvent) => unknown;
  /** What came before the header could be written. */
  #early: string[] | undefined = [];
  #failed = false;
  #said = false;

  /** `shown`: an event as the reader knows it; undefined for one that the reader does not. */
  constructor(write: (line: string) => void, shown: (event: SeamEvent) => unknown = jsonEvent) {
    this.#write = write;
    this.#shown = shown;
  }

  readonly take = (event: SeamEvent): void => {
    const shown = this.#shown(event);
    if (shown !== undefined) this.#put(jsonLine(shown));
    if (event.type !== "message_end" || event.message.role !== "assistant") return;
    const { stopReason } = event.message;
    this.#said ||= saysSomething(event.message);
    this.#failed = stopReason === "error" || stopReason === "aborted" || !this.#said;
  };

  /** False if there was no answer. */
  async run(agent: EmbeddedAgent, prompts: readonly Prompt[]): Promise<boolean> {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const line of [jsonLine(agent.session.getHeader()), ...early]) this.#write(line);
    for (const { text, images } of prompts) {
      await agent.prompt(text, images ? { images } : {});
      await agent.waitForIdle();
      if (this.#failed || agent.lastError) return false;
    }
    return true;
  }

  #put(line: string): void {
    if (this.#early) this.#early.push(line);
    else this.#write(line);
  }
}
