import { createInterface } from "node:readline";

/** Asks for lines, one after the other, on a terminal or from a pipe. */
export class Lines {
  readonly #input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly #output: NodeJS.WritableStream;
  readonly #cancel = new AbortController();
  #reader: ReturnType<typeof createInterface> | undefined;
  #lines: AsyncIterator<string> | undefined;
  /** A line that was waited for in vain is the answer to the next question. */
  #next: Promise<IteratorResult<string>> | undefined;

  constructor(
    input: NodeJS.ReadableStream & { readonly isTTY?: boolean } = process.stdin,
    output: NodeJS.WritableStream = process.stderr,
  ) {
    this.#input = input;
    this.#output = output;
  }

  /** Fires on Ctrl-C. */
  get cancelled(): AbortSignal {
    return this.#cancel.signal;
  }

  /** Undefined if there is no answer: the input ended, the signal fired, Ctrl-C. */
  async ask(question: string, signal: AbortSignal = this.cancelled): Promise<string | undefined> {
    if (signal.aborted) return undefined;
    const lines = this.#open();
    this.#output.write(question);
    this.#next ??= lines.next();
    const next = this.#next;
    const given = new Promise<undefined>((resolve) => {
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    const line = await Promise.race([next, given]);
    if (!line) return undefined;
    this.#next = undefined;
    return line.done ? undefined : line.value;
  }

  close(): void {
    this.#reader?.close();
  }

  #open(): AsyncIterator<string> {
    if (this.#lines) return this.#lines;
    const terminal = this.#input.isTTY === true;
    const reader = createInterface({ input: this.#input, output: this.#output, terminal });
    // On a terminal the reader gets the key; without a listener it would just stop reading.
    reader.on("SIGINT", () => this.#cancel.abort());
    this.#reader = reader;
    this.#lines = reader[Symbol.asyncIterator]();
    return this.#lines;
  }
}
