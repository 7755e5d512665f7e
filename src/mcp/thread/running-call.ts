import { randomUUID } from "node:crypto";
import {
  type InputRequiredResult,
  type InputResponseView,
  inputRequired,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { AskedDialog, CallEnd } from "../../daemon/index.ts";

/** What a client gets to hear next of a call: how it ended, or what its user is asked. */
export type CallStep = { readonly end: CallEnd } | { readonly question: InputRequiredResult };

/** The name of the one thing that is asked at a time. */
export const ANSWER = "answer";

interface Asked {
  readonly dialog: AskedDialog;
  readonly resolve: (value: string | undefined) => void;
}

/**
 * A tool or a command that runs. While it waits for an answer of the client's user no request of the
 * client is open: the client comes back with the answer and the token, in both eras of the protocol.
 */
export class RunningCall {
  readonly token = randomUUID();
  readonly #abort = new AbortController();
  readonly #questions: Asked[] = [];
  /** What the client's user was asked and did not answer yet. */
  #open: Asked | undefined;
  #end: CallEnd | undefined;
  #wake: (() => void) | undefined;
  #tell: ((text: string) => void) | undefined;
  /** What was told last is on its way. */
  #told: Promise<void> = Promise.resolve();

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  giveUp(): void {
    this.#abort.abort();
    for (const { resolve } of [...this.#questions.splice(0), ...(this.#open ? [this.#open] : [])]) {
      resolve(undefined);
    }
  }

  /** From now on this request of the client is told of progress, and can give up. */
  serve({ signal, _meta, notify }: ServerContext["mcpReq"]): void {
    const progressToken = _meta?.progressToken;
    let progress = 0;
    this.#tell = (message) => {
      if (progressToken === undefined) return;
      const params = { progressToken, progress: ++progress, message };
      this.#told = notify({ method: "notifications/progress", params }).catch(() => {});
    };
    signal.addEventListener("abort", () => this.giveUp(), { once: true });
  }

  progress(text: string): void {
    this.#tell?.(text);
  }

  ask(dialog: AskedDialog): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#questions.push({ dialog, resolve });
      this.#wake?.();
    });
  }

  /** What the client's user said to the open question. */
  answer(view: InputResponseView): void {
    const { dialog, resolve } = this.#open ?? {};
    this.#open = undefined;
    if (dialog) resolve?.(answerFor(dialog, view));
  }

  ended(end: CallEnd): void {
    this.#end = end;
    this.#wake?.();
  }

  async next(): Promise<CallStep> {
    while (!this.#end && this.#questions.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    await this.#told;
    if (this.#end) return { end: this.#end };
    this.#open = this.#questions.shift();
    return { question: questionOf(this.#open?.dialog, this.token) };
  }
}

function questionOf(dialog: AskedDialog | undefined, requestState: string): InputRequiredResult {
  const { title = "", message } = dialog ?? {};
  const text = message === undefined || message === "" ? title : `${title}\n\n${message}`;
  const requestedSchema = {
    type: "object" as const,
    properties: { [ANSWER]: fieldFor(dialog) },
    required: [ANSWER],
  };
  const question = inputRequired.elicit({ mode: "form", message: text, requestedSchema });
  return inputRequired({ requestState, inputRequests: { [ANSWER]: question } });
}

function fieldFor(dialog: AskedDialog | undefined) {
  const { method, title = "", options = [], placeholder, prefill } = dialog ?? {};
  if (method === "confirm") return { type: "boolean" as const, title };
  const text = {
    type: "string" as const,
    title,
    ...(placeholder !== undefined && { description: placeholder }),
    ...(prefill !== undefined && { default: prefill }),
  };
  return method === "select" ? { type: "string" as const, title, enum: [...options] } : text;
}

/** Undefined: as if the dialog had been closed. What the client says is not to be relied on. */
function answerFor({ method, options = [] }: AskedDialog, view: InputResponseView) {
  if (view.kind !== "elicit") return undefined;
  if (method === "confirm" && view.action === "decline") return "no";
  if (view.action !== "accept") return undefined;
  const value = view.content?.[ANSWER];
  if (method === "confirm") return value === true ? "yes" : "no";
  if (typeof value !== "string") return undefined;
  return method === "select" && !options.includes(value) ? undefined : value;
}
