import type {
  AssistantContent,
  AssistantMessage,
  Model,
  TextContent,
  ThinkingContent,
  ToolCall,
} from "../../events/index.ts";
import { createAssistantMessageEventStream } from "../../extensions/index.ts";
import { parseArguments } from "./tool-arguments.ts";
import { type TokenCounts, usageOf } from "./usage.ts";

type Finished = "stop" | "length" | "toolUse";
/** What the provider said about a block besides its text: signatures, handed back later. */
type Extra = Partial<
  Pick<TextContent, "textSignature"> &
    Pick<ThinkingContent, "thinkingSignature" | "redacted"> &
    Pick<ToolCall, "thoughtSignature">
>;

/**
 * An answer while it comes in: takes its pieces and gives out Pi's events. Every event has its own
 * message and list of blocks, and a block that grows is replaced, so what a handler kept of an
 * earlier event does not change under it. The text itself is not copied: strings grow by reference.
 *
 * The arguments of a tool call stay `{}` until it is complete: parsing half of them at each delta
 * would cost more with every delta. An abort ends the answer at once, whatever the source does.
 */
export class Answer {
  readonly stream = createAssistantMessageEventStream();
  readonly #model: Model;
  readonly #content: AssistantContent[] = [];
  readonly #rawArguments = new Map<number, string>();
  readonly #signal: AbortSignal | undefined;
  #head: Omit<AssistantMessage, "content">;
  #started = false;
  #closed = false;

  constructor(model: Model, signal?: AbortSignal) {
    this.#model = model;
    this.#signal = signal;
    this.#head = {
      role: "assistant",
      api: model.api,
      provider: model.provider,
      model: model.id,
      usage: usageOf(model),
      stopReason: "stop",
      timestamp: Date.now(),
    };
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener("abort", this.#abort, { once: true });
  }

  /** Nothing more is taken: it is complete, failed or aborted. */
  get closed(): boolean {
    return this.#closed;
  }

  get content(): readonly AssistantContent[] {
    return this.#content;
  }

  start(): void {
    if (this.#started || this.#closed) return;
    this.#started = true;
    this.stream.push({ type: "start", partial: this.#message() });
  }

  identify(response: { id?: string; model?: string }): void {
    const { id, model } = response;
    const other = model !== undefined && model !== this.#model.id;
    this.#head = {
      ...this.#head,
      ...(id !== undefined && { responseId: id }),
      ...(other && { responseModel: model }),
    };
  }

  /** Begins a block; the number says which one a later piece belongs to. */
  open(block: AssistantContent): number {
    const index = this.#content.length;
    if (this.#closed) return index;
    this.start();
    this.#content.push(block);
    if (block.type === "toolCall") this.#rawArguments.set(index, "");
    const type = `${KINDS[block.type]}_start` as const;
    this.stream.push({ type, contentIndex: index, partial: this.#message() });
    return index;
  }

  append(index: number, delta: string): void {
    const block = this.#content[index];
    if (this.#closed || !block || delta === "") return;
    if (block.type === "text") this.#content[index] = { ...block, text: block.text + delta };
    else if (block.type === "thinking") {
      this.#content[index] = { ...block, thinking: block.thinking + delta };
    } else this.#rawArguments.set(index, (this.#rawArguments.get(index) ?? "") + delta);
    const type = `${KINDS[block.type]}_delta` as const;
    this.stream.push({ type, contentIndex: index, delta, partial: this.#message() });
  }

  /** Notes a signature. It goes out with the next event. */
  sign(index: number, extra: Extra): void {
    const block = this.#content[index];
    if (block && !this.#closed) this.#content[index] = { ...block, ...extra };
  }

  end(index: number): void {
    const block = this.#content[index];
    if (this.#closed || !block) return;
    const contentIndex = index;
    if (block.type === "toolCall") {
      const toolCall = this.#completeCall(index, block);
      this.stream.push({ type: "toolcall_end", contentIndex, toolCall, partial: this.#message() });
    } else {
      const content = block.type === "text" ? block.text : block.thinking;
      const type = `${KINDS[block.type]}_end` as const;
      this.stream.push({ type, contentIndex, content, partial: this.#message() });
    }
  }

  use(tokens: Partial<TokenCounts>): void {
    this.#head = { ...this.#head, usage: usageOf(this.#model, tokens) };
  }

  done(reason: Finished): void {
    if (this.#closed) return;
    this.start();
    this.#close();
    this.#head = { ...this.#head, stopReason: reason };
    this.stream.push({ type: "done", reason, message: this.#message() });
  }

  fail(errorMessage: string, reason: "error" | "aborted" = "error"): void {
    if (this.#closed) return;
    this.#close();
    // What came of a tool call is kept, too; nobody runs the calls of an answer that failed.
    for (const [index, raw] of this.#rawArguments) {
      const block = this.#content[index];
      if (block?.type === "toolCall" && raw !== "") this.#completeCall(index, block);
    }
    this.#head = { ...this.#head, stopReason: reason, errorMessage };
    this.stream.push({ type: "error", reason, error: this.#message() });
  }

  #completeCall(index: number, block: ToolCall): ToolCall {
    const parsed = parseArguments(this.#rawArguments.get(index) ?? "");
    const toolCall = { ...block, arguments: parsed };
    this.#content[index] = toolCall;
    this.#rawArguments.delete(index);
    return toolCall;
  }

  #message(): AssistantMessage {
    const { role, ...rest } = this.#head;
    return { role, content: [...this.#content], ...rest };
  }

  #close(): void {
    this.#closed = true;
    this.#signal?.removeEventListener("abort", this.#abort);
  }

  readonly #abort = (): void => this.fail("The request was aborted.", "aborted");
}

const KINDS = { text: "text", thinking: "thinking", toolCall: "toolcall" } as const;
