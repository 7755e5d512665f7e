import type { AssistantMessage, AssistantMessageEvent } from "../../events/index.ts";
import type { AssistantMessageStream } from "../api/models.ts";

/** A stream that is pushed into at one end and iterated at the other. */
export class EventStream<Item, Result = Item> implements AsyncIterable<Item> {
  readonly #isLast: (item: Item) => boolean;
  readonly #resultOf: (item: Item) => Result;
  readonly #items: Item[] = [];
  readonly #result: Promise<Result>;
  #resolve: (result: Result) => void = () => {};
  #wake: (() => void)[] = [];
  #ended = false;

  constructor(isLast: (item: Item) => boolean, resultOf: (item: Item) => Result) {
    this.#isLast = isLast;
    this.#resultOf = resultOf;
    this.#result = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  push(item: Item): void {
    if (this.#ended) return;
    this.#items.push(item);
    if (this.#isLast(item)) {
      this.#ended = true;
      this.#resolve(this.#resultOf(item));
    }
    this.#wakeAll();
  }

  end(result?: Result): void {
    this.#ended = true;
    if (result !== undefined) this.#resolve(result);
    this.#wakeAll();
  }

  result(): Promise<Result> {
    return this.#result;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) yield item;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  #wakeAll(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}

/** The stream a provider returns: ends with the whole message or with an error. */
export class AssistantMessageEventStream
  extends EventStream<AssistantMessageEvent, AssistantMessage>
  implements AssistantMessageStream
{
  constructor() {
    super(
      (event) => event.type === "done" || event.type === "error",
      (event) => {
        if (event.type === "done") return event.message;
        if (event.type === "error") return event.error;
        throw new Error(`A stream cannot end with "${event.type}".`);
      },
    );
  }
}

/**
 * A stream that `streamSimple` of a provider returns at once and fills while its answer arrives.
 *
 * @example
 * // A provider's own way to answer: one message, which is there at once.
 * function answerWith(message: AssistantMessage) {
 *   const stream = createAssistantMessageEventStream();
 *   stream.push({ type: "done", reason: "stop", message });
 *   return stream;
 * }
 */
export function createAssistantMessageEventStream(): AssistantMessageEventStream {
  return new AssistantMessageEventStream();
}
