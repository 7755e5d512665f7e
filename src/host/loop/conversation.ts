import type { AgentMessage } from "../../events/index.ts";
import type { SessionTree } from "../session/index.ts";

/**
 * The conversation while an agent works: what the session says, without reading all of it again
 * after every message. Whenever something else moved the session, it is read anew.
 */
export class Conversation {
  readonly #session: SessionTree;
  #leafId: string | null | undefined;
  #messages: AgentMessage[] = [];

  constructor(session: SessionTree) {
    this.#session = session;
  }

  /** As it stands. Changes with the next message: copy what is to be kept. */
  get messages(): readonly AgentMessage[] {
    const leafId = this.#session.getLeafId();
    if (leafId !== this.#leafId) {
      this.#messages = this.#session.buildContext().messages;
      this.#leafId = leafId;
    }
    return this.#messages;
  }

  /** Writes a message to the session. Returns the id of its entry. */
  append(message: AgentMessage): string {
    if (message.role === "custom") {
      const { customType, content, display, details } = message;
      return this.#session.appendCustomMessageEntry(customType, content, display, details);
    }
    const isKnown = this.#session.getLeafId() === this.#leafId;
    const id = this.#session.appendMessage(message);
    if (isKnown) {
      this.#messages.push(message);
      this.#leafId = id;
    }
    return id;
  }
}
