import { randomUUID } from "node:crypto";
import { type DialogOptions, type ExtensionUIContext, headlessUI } from "../../extensions/index.ts";

type Send = (message: Readonly<Record<string, unknown>>) => void;
type Reply = Readonly<Record<string, unknown>>;

/** A user interface at the other end of a pipe: requests go out, answers come in. */
export class RpcUI {
  readonly #send: Send;
  readonly #waiting = new Map<string, (reply: Reply) => void>();
  readonly ui: ExtensionUIContext;
  #closed = false;

  constructor(send: Send) {
    this.#send = send;
    const tell = (method: string, fields: Reply) =>
      send({ type: "extension_ui_request", id: randomUUID(), method, ...fields });
    const text = (reply: Reply) => (typeof reply.value === "string" ? reply.value : undefined);
    const base = headlessUI();
    this.ui = {
      ...base,
      select: async (title, options, opts) =>
        text(await this.#ask("select", { title, options }, opts)),
      confirm: async (title, message, opts) =>
        (await this.#ask("confirm", { title, message }, opts)).confirmed === true,
      input: async (title, placeholder, opts) =>
        text(await this.#ask("input", { title, placeholder }, opts)),
      editor: async (title, prefill) => text(await this.#ask("editor", { title, prefill })),
      notify: (message, notifyType = "info") => tell("notify", { message, notifyType }),
      setStatus: (statusKey, statusText) => tell("setStatus", { statusKey, statusText }),
      setWidget: (widgetKey, content, options) => {
        // Components cannot be sent; lines can.
        if (content !== undefined && !Array.isArray(content)) return;
        const widgetPlacement = options?.placement;
        tell("setWidget", { widgetKey, widgetLines: content, widgetPlacement });
      },
      setTitle: (title) => tell("setTitle", { title }),
      setEditorText: (value) => {
        base.setEditorText(value);
        tell("set_editor_text", { text: value });
      },
    };
  }

  /** An answer came in. False if nobody waits for it. */
  answer(reply: Reply): boolean {
    const resolve = this.#waiting.get(String(reply.id));
    resolve?.(reply);
    return resolve !== undefined;
  }

  /** Nobody is there any more: open questions are dismissed, new ones are not asked. */
  close(): void {
    this.#closed = true;
    for (const dismiss of [...this.#waiting.values()]) dismiss({});
  }

  #ask(method: string, fields: Reply, options: DialogOptions = {}): Promise<Reply> {
    const { signal, timeout } = options;
    const id = randomUUID();
    return new Promise((resolve) => {
      const timer = timeout === undefined ? undefined : setTimeout(() => done({}), timeout);
      const dismiss = () => done({});
      const done = (reply: Reply) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", dismiss);
        this.#waiting.delete(id);
        resolve(reply.cancelled === true ? {} : reply);
      };
      if (signal?.aborted || this.#closed) return done({});
      signal?.addEventListener("abort", dismiss, { once: true });
      this.#waiting.set(id, done);
      const limit = timeout === undefined ? {} : { timeout };
      this.#send({ type: "extension_ui_request", id, method, ...fields, ...limit });
    });
  }
}
