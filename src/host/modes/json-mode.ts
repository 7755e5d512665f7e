import type { SeamEvent } from "../../events/index.ts";
import type { EmbeddedAgent } from "../embedded-agent.ts";
import { jsonEvent, jsonLine } from "./json-event.ts";
import { saysSomething } from "./says-something.ts";

/**
 * One prompt; every event is a line of JSON, the session's header first. `take` is for `onEvent` of
 * the agent: its events begin before there is an agent to ask, and end when it is disposed of.
 */
export class JsonMode {
  readonly #write: (line: string) => void;
  /** What came before the header could be written. */
  #early: string[] | undefined = [];
  #failed = false;
  #said = false;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  readonly take = (event: SeamEvent): void => {
    const line = jsonLine(jsonEvent(event));
    if (this.#early) this.#early.push(line);
    else this.#write(line);
    if (event.type !== "message_end" || event.message.role !== "assistant") return;
    const { stopReason } = event.message;
    this.#said ||= saysSomething(event.message);
    this.#failed = stopReason === "error" || stopReason === "aborted" || !this.#said;
  };

  /** False if there was no answer. */
  async run(agent: EmbeddedAgent, prompt: string): Promise<boolean> {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const line of [jsonLine(agent.session.getHeader()), ...early]) this.#write(line);
    await agent.prompt(prompt);
    await agent.waitForIdle();
    return !this.#failed && !agent.lastError;
  }
}
