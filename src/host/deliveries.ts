import {
  type CustomMessage,
  type ImageContent,
  textOfContent,
  type UserContent,
  type UserMessage,
} from "../events/index.ts";
import type {
  OutgoingMessage,
  SendMessageOptions,
  SendUserMessageOptions,
} from "../extensions/index.ts";
import type { Core } from "./core.ts";
import { IdleCompaction } from "./idle-compaction.ts";
import { enter } from "./prompt-input.ts";
import { runTurn } from "./turn.ts";

/** What became of a message: it waits in the queue, or the agent works on it until it is idle. */
export type Delivery =
  | { readonly queuedId: string }
  | { readonly queuedId?: undefined; readonly work: Promise<void> };

/** The ways in which something said gets to the agent. */
export class Deliveries {
  readonly #core: Core;
  readonly #idle: IdleCompaction;
  /** What extensions say in the name of the user, while `input` looks at it. */
  readonly #entering = new Set<Promise<unknown>>();
  #held = 0;

  constructor(core: Core) {
    this.#core = core;
    this.#idle = new IdleCompaction(core);
  }

  /** Whether something waits for the session to be changed. */
  get any(): boolean {
    return this.#held > 0;
  }

  /** The agent ends: nothing is to begin by itself any more. */
  stop(): void {
    this.#idle.stop();
  }

  /** Begins to work on a message at once, or puts it into the queue of an agent that works. */
  deliver(message: UserMessage | CustomMessage, kind: "steer" | "followUp"): Delivery {
    const { run, queue } = this.#core;
    if (run.running) return { queuedId: queue.add(kind, message) };
    return { work: this.#work(message) };
  }

  /** A message of an extension's. */
  async sendMessage(message: OutgoingMessage, options: SendMessageOptions = {}): Promise<void> {
    const { queue, run } = this.#core;
    const { deliverAs = "steer", triggerTurn = false } = options;
    const full: CustomMessage = { role: "custom", ...message, timestamp: Date.now() };
    if (deliverAs === "nextTurn") {
      queue.add("nextTurn", full);
    } else if (run.streaming || triggerTurn) {
      await this.#send(full, deliverAs);
    } else {
      this.#keep(full);
    }
  }

  /** Into the conversation of an agent that does not work: told of like every message. */
  #keep(message: CustomMessage): void {
    const { emitter, session } = this.#core;
    const { customType, content, display, details } = message;
    session.tree.appendCustomMessageEntry(customType, content, display, details);
    emitter.emit({ type: "message_start", message });
    void emitter.emit({ type: "message_end", message });
  }

  /** What an extension says in the name of the user. */
  async sendUserMessage(
    content: string | UserContent[],
    options: SendUserMessageOptions = {},
  ): Promise<void> {
    const { deliverAs = "followUp", expandPromptTemplates = false } = options;
    const said = { text: textOfContent(content), images: imagesIn(content) };
    const isEntered = expandPromptTemplates || this.#core.emitter.isHandled("input");
    // Not entered if nobody cares: the agent is then at work as soon as the extension has spoken.
    if (!isEntered) {
      await this.#send({ role: "user", content, timestamp: Date.now() }, deliverAs);
      return;
    }
    const entering = this.#enter(said, deliverAs, expandPromptTemplates);
    this.#entering.add(entering);
    const delivered = await entering.finally(() => this.#entering.delete(entering));
    await delivered();
  }

  /** Resolves with what is left to do as soon as the agent works on it, or it waits. */
  async #enter(
    { text, images }: { text: string; images: ImageContent[] },
    deliverAs: "steer" | "followUp",
    expands: boolean,
  ): Promise<() => Promise<void>> {
    const entered = await enter(this.#core, text, {
      source: "extension",
      deliverAs,
      expands,
      ...(images.length > 0 && { images }),
    });
    if (entered.kind === "handled") return async () => {};
    const work = this.#send(entered.message, deliverAs);
    return () => work;
  }

  /** Resolves when what extensions said so far has reached the agent; undefined if it has. */
  entered(): Promise<unknown> | undefined {
    return this.#entering.size === 0 ? undefined : Promise.allSettled(this.#entering);
  }

  async #send(message: UserMessage | CustomMessage, kind: "steer" | "followUp"): Promise<void> {
    const { changes } = this.#core;
    // Not otherwise: the agent is at work as soon as the extension has spoken.
    while (changes.underWay) {
      this.#held++;
      await changes.settled();
      this.#held--;
    }
    if (changes.closed) return;
    const delivery = this.deliver(message, kind);
    if (delivery.queuedId === undefined) await delivery.work;
  }

  async #work(message: UserMessage | CustomMessage): Promise<void> {
    const core = this.#core;
    const { queue, changes } = core;
    this.#idle.stop();
    let goesOn = await runTurn(core, [message]);
    // Something may have been queued while the turn was coming to its end. After an abort it waits.
    while (goesOn && !core.run.running && queue.pending > 0 && !changes.closed) {
      if (changes.underWay) {
        await changes.settled();
        continue;
      }
      const waiting = [...queue.take("steer"), ...queue.take("followUp")];
      goesOn = await runTurn(core, waiting);
    }
    if (!changes.closed) this.#idle.start();
  }
}

function imagesIn(content: string | UserContent[]): ImageContent[] {
  return typeof content === "string" ? [] : content.filter((block) => block.type === "image");
}
