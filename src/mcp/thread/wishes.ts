import type { AskedDialog } from "../../daemon/index.ts";
import type { FromMcpThread, Granted, Wish } from "../protocol.ts";

/** What happens to a wish before it is granted. */
interface Meanwhile {
  progress(text: string): void;
  /** Undefined: nobody answers. */
  ask(dialog: AskedDialog): Promise<string | undefined>;
}

interface Waiting {
  readonly resolve: (granted: Granted) => void;
  readonly meanwhile: Meanwhile | undefined;
}

interface Wishing {
  readonly client: number;
  readonly processes: readonly number[];
  readonly signal?: AbortSignal;
  readonly meanwhile?: Meanwhile;
}

/** What the thread asks of the daemon's own thread. */
export class Wishes {
  readonly #send: (message: FromMcpThread) => void;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(send: (message: FromMcpThread) => void) {
    this.#send = send;
  }

  make(wish: Wish, { client, processes, signal, meanwhile }: Wishing): Promise<Granted> {
    const id = ++this.#last;
    const abandon = () => this.#send({ say: "abandon", id });
    signal?.addEventListener("abort", abandon, { once: true });
    return new Promise<Granted>((resolve) => {
      this.#waiting.set(id, { resolve, meanwhile });
      this.#send({ say: "wish", id, client, processes, wish });
    }).finally(() => signal?.removeEventListener("abort", abandon));
  }

  grant(id: number, granted: Granted): void {
    this.#waiting.get(id)?.resolve(granted);
    this.#waiting.delete(id);
  }

  progress(id: number, text: string): void {
    this.#waiting.get(id)?.meanwhile?.progress(text);
  }

  ask(id: number, dialog: AskedDialog): void {
    const asked = this.#waiting.get(id)?.meanwhile?.ask(dialog) ?? Promise.resolve(undefined);
    void asked.then((value) =>
      this.#send({
        say: "answer",
        id,
        dialog: dialog.id,
        ...(value !== undefined && { value }),
      }),
    );
  }
}
