import { readFileSync } from "node:fs";
import { messageOf, refusal, SeamError } from "../../../errors/index.ts";
import type { Message, Model } from "../../../events/index.ts";
import { textOfContent } from "../../../events/index.ts";
import type {
  AssistantMessageStream,
  ModelRequest,
  ModelRequestOptions,
} from "../../../extensions/index.ts";
import { Answer } from "../answer.ts";
import { failureText } from "../failure-text.ts";
import type { ParsedScript } from "./parse-script.ts";
import { parseScript } from "./parse-script.ts";
import { playTurn } from "./play-turn.ts";
import type { PlayableTurn } from "./turn.ts";

/**
 * A model that answers from a script: each call uses one turn. A turn with `when` is used as soon as
 * it fits the last message; the others are used in order. None is used twice.
 */
export class Script {
  readonly model: Model;
  readonly #path: string;
  readonly #count: number;
  readonly #inOrder: PlayableTurn[];
  readonly #conditional: PlayableTurn[];
  #lastCall: number | undefined;

  constructor(path: string, { turns, model }: ParsedScript, id = path) {
    this.#path = path;
    this.#count = turns.length;
    this.#inOrder = turns.filter(({ when }) => !when);
    this.#conditional = turns.filter(({ when }) => when);
    this.model = {
      id,
      name: `Script ${path}`,
      api: "scripted",
      provider: "scripted",
      baseUrl: "",
      reasoning: true,
      input: ["text", "image"],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 200_000,
      maxTokens: 32_000,
      ...model,
    };
  }

  stream(request: ModelRequest, options: ModelRequestOptions = {}): AssistantMessageStream {
    const answer = new Answer(this.model, options.signal);
    this.#play(answer, request, options).catch((thrown: unknown) =>
      answer.fail(failureText(thrown)),
    );
    return answer.stream;
  }

  async #play(
    answer: Answer,
    request: ModelRequest,
    { onPayload, onResponse, onProviderStreamEvent, signal }: ModelRequestOptions,
  ): Promise<void> {
    if (answer.closed) return;
    let { messages } = request;
    if (onPayload) {
      const { systemPrompt: system, tools } = request;
      const payload = { model: this.model.id, system, messages: [...messages], tools };
      const changed = (await onPayload(payload, this.model)) ?? payload;
      messages = messagesIn(changed) ?? messages;
    }
    if (answer.closed) return;
    const turn = this.#next(messages);
    // An error that comes later comes in the middle of an answer that began well.
    const status = turn.error && turn.error.after === undefined ? (turn.error.status ?? 200) : 200;
    if (onResponse) await onResponse({ status, headers: {} }, this.model);
    // A script has one event: the turn it plays.
    if (onProviderStreamEvent) {
      await onProviderStreamEvent({ type: "turn", blocks: turn.blocks }, this.model);
    }
    await playTurn(turn, answer, {
      input: textOf(messages.findLast(({ role }) => role === "user")),
      newCallId: () => this.#newCallId(messages),
      signal,
    });
  }

  #next(messages: readonly Message[]): PlayableTurn {
    const said = textOf(messages.findLast(({ role }) => role !== "assistant"));
    const fits = this.#conditional.findIndex(({ when }) => when?.test(said));
    const turn = fits >= 0 ? this.#conditional.splice(fits, 1)[0] : this.#inOrder.shift();
    if (turn) return turn;
    throw new SeamError("SEAM_SCRIPT_ENDED", { path: this.#path, turns: this.#count });
  }

  /** Goes on counting where the conversation is: a resumed session must not see an id twice. */
  #newCallId(messages: readonly Message[]): string {
    const used = () =>
      messages
        .flatMap((message) => (message.role === "assistant" ? message.content : []))
        .map((block) =>
          block.type === "toolCall" ? /^call_(\d+)$/.exec(block.id)?.[1] : undefined,
        )
        .map((digits) => Number(digits ?? 0));
    this.#lastCall = (this.#lastCall ?? Math.max(0, ...used())) + 1;
    return `call_${this.#lastCall}`;
  }
}

function textOf(message: Message | undefined): string {
  if (!message || message.role === "assistant") return "";
  return textOfContent(message.content);
}

/** The messages of a payload a handler may have replaced with anything. */
function messagesIn(payload: unknown): Message[] | undefined {
  if (typeof payload !== "object" || payload === null || !("messages" in payload)) return undefined;
  return Array.isArray(payload.messages) ? payload.messages.filter(isMessage) : undefined;
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== "object" || value === null) return false;
  if (!("role" in value && "content" in value)) return false;
  return typeof value.content === "string" || Array.isArray(value.content);
}

export function readScript(path: string): Script {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (thrown) {
    const detail = messageOf(thrown);
    throw refusal(thrown) ?? new SeamError("SEAM_SCRIPT_INVALID", { path, detail });
  }
  return new Script(path, parseScript(text, path));
}
