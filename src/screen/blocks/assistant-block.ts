import type { AssistantMessage } from "../../events/index.ts";
import { safeText, wrapTextWithAnsi } from "../../terminal/index.ts";
import type { Look } from "../look/look.ts";
import { StreamingMarkdown } from "../markdown/streaming-markdown.ts";
import { Block } from "./block.ts";

type Part = { readonly kind: "text" | "thinking"; readonly markdown: StreamingMarkdown };

/** What a model said and thought, as it comes. Its tool calls are blocks of their own. */
export class AssistantBlock extends Block {
  #message: AssistantMessage;
  readonly #parts = new Map<number, Part>();

  constructor(look: Look, message: AssistantMessage) {
    super(look);
    this.#message = message;
    this.update(message);
  }

  update(message: AssistantMessage, isStreaming = false): void {
    this.#message = message;
    for (const [index, block] of message.content.entries()) {
      if (block.type === "toolCall") continue;
      const text = block.type === "text" ? block.text : block.thinking;
      const part = this.#parts.get(index) ?? this.#newPart(block.type);
      const kind = block.type === "text" ? "assistant" : "assistant-thinking";
      part.markdown.setText(safeText(this.look.transform(text, kind, isStreaming)).trim());
      this.#parts.set(index, part);
    }
    super.invalidate();
  }

  /** Whether there is anything to see: some answers are nothing but tool calls. */
  get saysSomething(): boolean {
    const { content, stopReason } = this.#message;
    const hasText = content.some(
      (block) =>
        (block.type === "text" && block.text.trim() !== "") ||
        (block.type === "thinking" && block.thinking.trim() !== ""),
    );
    return hasText || stopReason === "error" || stopReason === "aborted";
  }

  override invalidate(): void {
    for (const { markdown } of this.#parts.values()) markdown.invalidate();
    super.invalidate();
  }

  protected draw(width: number): string[] {
    if (!this.saysSomething) return [];
    const { theme, thinkingHidden, hiddenThinkingLabel } = this.look;
    const lines: string[] = [];
    for (const { kind, markdown } of this.#parts.values()) {
      const isHidden = kind === "thinking" && thinkingHidden;
      const drawn = isHidden
        ? [theme.italic(theme.fg("thinkingText", safeText(hiddenThinkingLabel)))]
        : markdown.render(width);
      if (drawn.length === 0) continue;
      if (lines.length > 0) lines.push("");
      for (const line of drawn) lines.push(line);
    }
    const end = this.#end();
    if (end === undefined) return lines;
    const painted = wrapTextWithAnsi(end, width).map((line) => theme.fg("error", line));
    return lines.length > 0 ? [...lines, "", ...painted] : painted;
  }

  #end(): string | undefined {
    const { stopReason, errorMessage } = this.#message;
    if (stopReason === "aborted") return "✗ stopped";
    if (stopReason === "error") return `✗ ${safeText(errorMessage ?? "The model gave no answer.")}`;
    return undefined;
  }

  #newPart(type: "text" | "thinking"): Part {
    const { theme } = this.look;
    const thinking = { color: (text: string) => theme.fg("thinkingText", text), italic: true };
    const style = type === "thinking" ? thinking : {};
    return { kind: type, markdown: new StreamingMarkdown(this.look.markdown(), 0, style) };
  }
}
