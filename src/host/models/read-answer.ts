import type { AssistantContent } from "../../events/index.ts";
import type { Answer } from "./answer.ts";
import type { Api } from "./apis/index.ts";
import { failureText } from "./failure-text.ts";
import type { FinishReason, ProviderOptions, StreamPart } from "./sdk-types.ts";
import { sdkTokens } from "./usage.ts";

/** Turns the SDK's parts into an answer, to the end or to where the stream breaks off. */
export async function readAnswer(
  parts: AsyncIterable<StreamPart>,
  answer: Answer,
  api: Api,
): Promise<void> {
  const blocks = new Blocks(answer, api);
  for await (const part of parts) {
    if (answer.closed) return;
    take(part, answer, blocks);
  }
  // A complete answer has closed itself.
  answer.fail(unfinished(answer));
}

function take(part: StreamPart, answer: Answer, blocks: Blocks): void {
  switch (part.type) {
    case "stream-start":
      answer.start();
      break;
    case "response-metadata":
      answer.identify({
        ...(part.id && { id: part.id }),
        ...(part.modelId && { model: part.modelId }),
      });
      break;
    case "text-start":
      blocks.open(`text ${part.id}`, { type: "text", text: "" }, part);
      break;
    case "reasoning-start":
      blocks.open(`thinking ${part.id}`, { type: "thinking", thinking: "" }, part);
      break;
    case "text-delta":
      blocks.append(`text ${part.id}`, part.delta, part);
      break;
    case "reasoning-delta":
      blocks.append(`thinking ${part.id}`, part.delta, part);
      break;
    case "text-end":
      blocks.end(`text ${part.id}`, part);
      break;
    case "reasoning-end":
      blocks.end(`thinking ${part.id}`, part);
      break;
    case "tool-input-start":
      if (!part.providerExecuted) blocks.openCall(part.id, part.toolName, part);
      break;
    case "tool-input-delta":
      blocks.append(`call ${part.id}`, part.delta, part);
      break;
    case "tool-call":
      if (!part.providerExecuted) blocks.endCall(part.toolCallId, part.toolName, part.input, part);
      break;
    case "finish":
      answer.use(sdkTokens(part.usage));
      finish(part.finishReason, part.usage.outputTokens.total ?? 0, answer);
      break;
    case "error":
      answer.fail(failureText(part.error));
      break;
    default:
    // Sources, files and what the provider's own tools did have no place in Pi's messages.
  }
}

function finish({ unified, raw }: FinishReason, written: number, answer: Answer): void {
  const called = answer.content.some((block) => block.type === "toolCall");
  // "other" without a word of the provider's is how the SDK says that the stream simply ended.
  const cutOff = unified === "other" && raw === undefined;
  // Claude may have nothing to add after a tool's result; then it has written a token or two.
  const empty = answer.content.length === 0 && written === 0;
  if (unified === "length") answer.done("length");
  else if (unified === "content-filter") {
    answer.fail(`The provider refused to answer (${raw ?? "content filter"}).`);
  } else if (unified === "error") {
    answer.fail(`The provider gave up on the answer (${raw ?? "error"}).`);
  } else if (cutOff || empty) answer.fail(unfinished(answer));
  else answer.done(called ? "toolUse" : "stop");
}

function unfinished({ content }: Answer): string {
  return content.length === 0
    ? "The answer was empty."
    : "The answer ended before it was complete.";
}

type Metadata = { providerMetadata?: ProviderOptions };

/** Which block of the answer a part's id means. */
class Blocks {
  readonly #answer: Answer;
  readonly #api: Api;
  readonly #indexes = new Map<string, number>();

  constructor(answer: Answer, api: Api) {
    this.#answer = answer;
    this.#api = api;
  }

  open(key: string, block: AssistantContent, part: Metadata): void {
    this.#indexes.set(key, this.#answer.open(block));
    this.#sign(key, part);
  }

  append(key: string, delta: string, part: Metadata): void {
    const index = this.#indexes.get(key);
    if (index === undefined) return;
    this.#sign(key, part);
    this.#answer.append(index, delta);
  }

  end(key: string, part: Metadata): void {
    const index = this.#indexes.get(key);
    if (index === undefined) return;
    this.#sign(key, part);
    this.#answer.end(index);
    this.#indexes.delete(key);
  }

  openCall(id: string, name: string, part: Metadata): void {
    this.open(`call ${id}`, { type: "toolCall", id, name, arguments: {} }, part);
  }

  /** The complete arguments come once more at the end; some providers send nothing before. */
  endCall(id: string, name: string, input: string, part: Metadata): void {
    const key = `call ${id}`;
    if (!this.#indexes.has(key)) {
      this.openCall(id, name, part);
      this.append(key, input, part);
    }
    this.end(key, part);
  }

  #sign(key: string, { providerMetadata }: Metadata): void {
    const index = this.#indexes.get(key);
    const block = index === undefined ? undefined : this.#answer.content[index];
    if (index === undefined || !block || !providerMetadata) return;
    this.#answer.sign(index, this.#api.readSignature(block, providerMetadata));
  }
}
