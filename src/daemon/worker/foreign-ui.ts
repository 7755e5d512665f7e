import {
  type Dialog,
  dialogs,
  type ExtensionUIContext,
  type HostDialogOptions,
  headlessUI,
} from "../../extensions/index.ts";
import { attendance, currentPlace } from "./current-seat.ts";
import type { SeatMessage } from "./protocol.ts";

type CurrentCall = () => { readonly id: number; readonly canAsk: boolean } | undefined;

/** Numbers are never given twice in a thread: several sessions share it. */
let asked = 0;

/**
 * The user interface of extensions whose agent is another program: its dialogs are questions in the
 * daemon's inbox. While nobody is there, they are answered at once as if there were none.
 */
export class ForeignUI {
  readonly ui: ExtensionUIContext;
  readonly #send: (said: SeatMessage) => void;
  readonly #call: CurrentCall;
  readonly #waiting = new Map<number, (value: string | undefined) => void>();

  /** `call`: the call of a tool that the code that runs now belongs to, if it is one. */
  constructor(send: (said: SeatMessage) => void, call: CurrentCall) {
    this.#send = send;
    this.#call = call;
    this.ui = {
      ...headlessUI(),
      ...dialogs((dialog, options) => this.#ask(dialog, options)),
      notify: (text, level) =>
        send({ say: "notice", text: String(text), ...(level !== undefined && { level }) }),
      setStatus: (key, text) => this.#show("status", key, text === undefined ? undefined : [text]),
      // Something that draws itself needs a terminal.
      setWidget: (key, content) =>
        this.#show("widget", key, Array.isArray(content) ? content : undefined),
      setTitle: (title) => this.#show("title", "title", [title]),
    };
  }

  /** Whether somebody would see a question: the user of whoever calls a tool may, too. */
  get isAttended(): boolean {
    return attendance.isAttended || this.#call()?.canAsk === true;
  }

  /** Whether a person lets something happen; undefined if nobody answered. */
  async approve(title: string, message: string): Promise<boolean | undefined> {
    const said = await this.#ask({ method: "confirm", title, message });
    return said === undefined ? undefined : said === "yes";
  }

  /** What a person said. */
  answer(id: number, value: string | undefined): void {
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    resolve?.(value);
  }

  #ask(dialog: Dialog, options: HostDialogOptions = {}): Promise<string | undefined> {
    const { signal, timeout, from } = options;
    if (!this.isAttended || signal?.aborted) return Promise.resolve(undefined);
    const id = ++asked;
    const call = this.#call()?.id;
    const during = currentPlace()?.deciding;
    return new Promise((resolve) => {
      const close = () => {
        this.#send({ say: "unasked", id });
        this.answer(id, undefined);
      };
      signal?.addEventListener("abort", close, { once: true });
      this.#waiting.set(id, (value) => {
        signal?.removeEventListener("abort", close);
        resolve(value);
      });
      this.#send({
        say: "question",
        id,
        ...plain(dialog),
        ...(during !== undefined && { during }),
        ...(call !== undefined && { call }),
        ...(from !== undefined && { from }),
        ...(timeout !== undefined && timeout > 0 && { timeoutMs: timeout }),
      });
    });
  }

  #show(kind: "status" | "widget" | "title", key: string, lines: readonly string[] | undefined) {
    const texts = lines?.map(String);
    this.#send({ say: "show", kind, key: String(key), ...(texts && { lines: texts }) });
  }
}

/** Extensions are not checked by a compiler: what they give as a text may be anything. */
function plain({ method, title, message, options, placeholder, prefill }: Dialog): Dialog {
  return {
    method,
    title: String(title),
    ...(message !== undefined && { message: String(message) }),
    ...(options && { options: [...options].map(String) }),
    ...(placeholder !== undefined && { placeholder: String(placeholder) }),
    ...(prefill !== undefined && { prefill: String(prefill) }),
  };
}
