import { createInterface, type Interface } from "node:readline";

/** Asks for lines, one after the other, on a terminal or from a pipe. */
export class Lines {
  readonly #input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly #output: NodeJS.WritableStream;
  readonly #cancel = new AbortController();
  #reader: Interface | undefined;
  #lines: AsyncIterator<string> | undefined;
  /** A line that was waited for in vain is the answer to the next question. */
  #next: Promise<IteratorResult<string>> | undefined;
  #isAsking = false;
  #hasEnded = false;

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
    const { lines, reader } = this.#open();
    // The reader knows the question, because it writes the line anew when somebody edits it.
    reader.setPrompt(question);
    if (!this.#hasEnded) reader.prompt();
    this.#isAsking = true;
    this.#next ??= lines.next();
    const next = this.#next;
    let giveUp = () => {};
    const given = new Promise<undefined>((resolve) => {
      giveUp = () => {
        this.#leave(reader);
        resolve(undefined);
      };
      signal.addEventListener("abort", giveUp, { once: true });
    });
    const line = await Promise.race([next, given]);
    signal.removeEventListener("abort", giveUp);
    this.#isAsking = false;
    if (!line) return undefined;
    this.#next = undefined;
    return line.done ? undefined : line.value;
  }

  /** Prints something while a line may be waited for: on lines of its own, the question comes after it. */
  interject(print: () => void): void {
    const reader = this.#isAsking && this.#reader?.terminal ? this.#reader : undefined;
    if (reader) this.#output.write("\n");
    print();
    reader?.prompt(true);
  }

  /** What was typed for this question is no answer to the next one. What comes now is on a new line. */
  #leave(reader: Interface): void {
    this.#isAsking = false;
    if (!reader.terminal || this.#hasEnded) return;
    for (const name of ["e", "u"]) reader.write(null, { ctrl: true, name });
    this.#output.write("\n");
  }

  close(): void {
    this.#reader?.close();
  }

  #open(): { lines: AsyncIterator<string>; reader: Interface } {
    if (this.#lines && this.#reader) return { lines: this.#lines, reader: this.#reader };
    const terminal = this.#input.isTTY === true;
    const reader = createInterface({ input: this.#input, output: this.#output, terminal });
    // On a terminal the reader gets the key; without a listener it would just stop reading.
    reader.on("SIGINT", () => this.#cancel.abort());
    reader.on("close", () => {
      this.#hasEnded = true;
    });
    this.#reader = reader;
    this.#lines = reader[Symbol.asyncIterator]();
    return { lines: this.#lines, reader };
  }
}
