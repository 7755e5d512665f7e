import { ESC, splitEscapes } from "../text/escapes.ts";

const MESSAGE = new RegExp(`^${ESC}[\\]P^_]`);

type Write = typeof process.stdout.write;
interface Stream {
  write: Write;
}

/**
 * Keeps what others print off the screen: a `console.log` of an extension would stand in the middle
 * of it. Its text is handed over instead. What only tells the terminal something, such as a
 * notification, gets through.
 */
export class StrayOutput {
  readonly #take: (text: string) => void;
  #kept: { readonly stream: Stream; readonly write: Write }[] = [];

  constructor(take: (text: string) => void) {
    this.#take = take;
  }

  /** Returns how to write to the first stream all the same. */
  start(streams: readonly [Stream, ...Stream[]]): (text: string) => void {
    const [first] = streams;
    const through = first.write.bind(first);
    for (const stream of streams) {
      const { write } = stream;
      this.#kept.push({ stream, write });
      const instead = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
        const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
        if (isForTerminal(text)) through(text);
        else this.#take(text);
        const done = rest.findLast((one) => typeof one === "function");
        if (done) queueMicrotask(() => done());
        return true;
      };
      stream.write = instead;
    }
    return through;
  }

  stop(): void {
    for (const { stream, write } of this.#kept.splice(0)) stream.write = write;
  }
}

/** Nothing in it would be seen: titles, bells, notifications. */
function isForTerminal(text: string): boolean {
  return splitEscapes(text).every(
    (piece) => piece.text === "\u0007" || (piece.kind === "escape" && MESSAGE.test(piece.text)),
  );
}
