import {
  type AgentMessage,
  type AssistantMessage,
  type BashExecutionMessage,
  type SeamEvent,
  type SessionEntry,
  textOfContent,
  type UserContent,
} from "../../events/index.ts";
import type { EntryRenderer, MessageRenderer } from "../../extensions/index.ts";
import type { Component } from "../../terminal/index.ts";
import { isRecord } from "../../values/index.ts";
import { AssistantBlock } from "../blocks/assistant-block.ts";
import { CustomBlock } from "../blocks/custom-block.ts";
import { EntryDrawnBlock } from "../blocks/entry-drawn-block.ts";
import { NoticeBlock, PromptBlock, SummaryBlock, UserBashBlock } from "../blocks/text-blocks.ts";
import { type ShownResult, ToolBlock, type ToolSurroundings } from "../blocks/tool-block.ts";
import type { Look } from "../look/look.ts";
import type { Transcript } from "./transcript.ts";

export interface ViewSurroundings extends ToolSurroundings {
  readonly rendererOf: (customType: string) => MessageRenderer | undefined;
  readonly entryRendererOf: (customType: string) => EntryRenderer | undefined;
}

const MOST_FRESH = 50;
/** What is left on the terminal must not push out everything that stood there before. */
const MOST_LEFT = 500;
const SKILL = /^<skill name="([^"]*)"[^>]*>([\s\S]*)<\/skill>\s*([\s\S]*)$/;

/** Turns what a session holds, and what happens in it, into blocks of the transcript. */
export class SessionView {
  readonly #look: Look;
  readonly #transcript: Transcript;
  readonly #around: ViewSurroundings;
  #calls = new Map<string, ToolBlock>();
  #answer: AssistantBlock | undefined;
  /** Messages of extensions that were told of, and come as entries too. */
  #toldCustom = 0;
  #seen = new Set<string>();
  /** Notices since the session was entered: they come before it is shown, and are not lost by that. */
  #fresh: NoticeBlock[] = [];
  /** The first block of what was said since the session was shown. */
  #begin = 0;
  /** What is shown next is the same session, as it is shown now. */
  #stays = false;

  constructor(look: Look, transcript: Transcript, around: ViewSurroundings) {
    this.#look = look;
    this.#transcript = transcript;
    this.#around = around;
  }

  /** Shows a session from its beginning to where it stands. */
  show(entries: readonly SessionEntry[], head: readonly Component[]): void {
    const isSaid = (block: Component) => !(block instanceof NoticeBlock);
    const left = this.#stays ? this.#transcript.linesLeft(isSaid) : MOST_LEFT;
    this.#stays = false;
    this.#transcript.clear();
    this.#calls = new Map();
    this.#answer = undefined;
    this.#toldCustom = 0;
    this.#seen = new Set(entries.map(({ id }) => id));
    for (const block of head) this.#transcript.add(block);
    for (const entry of entries) this.#entry(entry);
    this.#transcript.open.clear();
    this.#transcript.keepLast(left);
    for (const notice of this.#fresh.splice(0)) this.#transcript.add(notice);
    this.#begin = this.#transcript.blocks.length;
  }

  /**
   * What stays on the terminal when the user leaves: all that was said here, and the last prompt with
   * what came of it, if that was said before. The end of it, if it is long.
   */
  lastSaid(width: number): string[] {
    const { blocks } = this.#transcript;
    const prompt = blocks.findLastIndex((block) => block instanceof PromptBlock);
    if (prompt === -1) return [];
    return this.#transcript.tail(Math.min(prompt, this.#begin), width, MOST_LEFT);
  }

  /** What was told about the session that is left says nothing about the next one. */
  leave(): void {
    this.#transcript.letGo();
    this.#fresh = [];
  }

  /** The session is shown again with what draws it now: what stands on the screen stays there. */
  reload(): void {
    this.#stays = true;
    this.#fresh = [];
  }

  /** Nothing changes any more. */
  end(): void {
    this.#transcript.open.clear();
  }

  /** Messages and entries that an extension put into the session while nothing happened. True if there are some. */
  catchUp(entries: readonly SessionEntry[]): boolean {
    const known = entries.findLastIndex(({ id }) => this.#seen.has(id));
    let found = false;
    for (const entry of entries.slice(known + 1)) {
      this.#seen.add(entry.id);
      const isMessage = entry.type === "custom_message" && entry.display;
      if (isMessage && this.#toldCustom > 0) this.#toldCustom--;
      else if (isMessage || entry.type === "custom") {
        this.#entry(entry);
        found = true;
      }
    }
    return found;
  }

  notice(text: string, level: "info" | "warning" | "error" = "info"): void {
    const notice = new NoticeBlock(this.#look, text, level);
    this.#transcript.add(notice);
    this.#fresh = [...this.#fresh, notice].slice(-MOST_FRESH);
  }

  #userBash(command: string, isExcluded: boolean): UserBashBlock {
    const block = new UserBashBlock(this.#look, command, isExcluded);
    this.#transcript.add(block);
    return block;
  }

  /** Shows a command of the user's while it runs. */
  async runUserBash(
    command: string,
    isExcluded: boolean,
    run: (onOutput: (data: Buffer) => void) => Promise<BashExecutionMessage>,
  ): Promise<void> {
    const block = this.#userBash(command, isExcluded);
    this.#transcript.open.add(block);
    this.#around.requestRender();
    const onOutput = (data: Buffer) => {
      block.addOutput(data);
      this.#around.requestRender();
    };
    try {
      block.end(await run(onOutput));
    } finally {
      this.#transcript.open.delete(block);
    }
  }

  hear(event: SeamEvent): void {
    switch (event.type) {
      case "message_start":
        this.#begun(event.message);
        break;
      case "message_update":
        if (event.message.role === "assistant") this.#answered(event.message, false);
        break;
      case "message_end":
        if (event.message.role === "assistant") this.#answered(event.message, true);
        break;
      case "tool_execution_start":
        this.#call(event.toolCallId, event.toolName, event.args).start();
        break;
      case "tool_execution_update":
        this.#calls.get(event.toolCallId)?.update(resultIn(event.partialResult));
        break;
      case "tool_execution_end":
        this.#ended(
          this.#call(event.toolCallId, event.toolName, undefined),
          resultIn(event.result),
          event.isError,
          event.blocked,
        );
        break;
      case "agent_settled":
        // A call that was never made has no end of its own, nor has an answer that broke off.
        for (const call of this.#calls.values()) this.#transcript.open.delete(call);
        if (this.#answer) this.#transcript.open.delete(this.#answer);
        break;
      case "session_compact":
        this.#entry(event.compactionEntry);
        break;
      case "session_compact_failed":
        this.notice(event.errorMessage ?? "The conversation could not be compacted.", "warning");
        break;
      case "auto_retry_end":
        if (!event.success && event.finalError) this.notice(event.finalError, "error");
        break;
      case "ttsr_triggered": {
        const names = event.rules.map(({ name }) => name).join(", ");
        this.notice(`Stopped by the rule ${names}. The model is told and tries again.`, "warning");
        break;
      }
      default:
    }
  }

  #entry(entry: SessionEntry): void {
    if (entry.type === "message") this.#message(entry.message);
    else if (entry.type === "custom") {
      const { entryRendererOf } = this.#around;
      this.#transcript.add(new EntryDrawnBlock(this.#look, entry, entryRendererOf));
    } else if (entry.type === "custom_message" && entry.display) {
      const { customType, content, details, display, timestamp } = entry;
      const at = Date.parse(timestamp);
      this.#message({ role: "custom", customType, content, details, display, timestamp: at });
    } else if (entry.type === "compaction") {
      const title = `The conversation before this is summed up (${entry.tokensBefore.toLocaleString("en-US")} tokens)`;
      this.#transcript.add(new SummaryBlock(this.#look, title, entry.summary));
    } else if (entry.type === "branch_summary") {
      const title = "A branch that was left is summed up";
      this.#transcript.add(new SummaryBlock(this.#look, title, entry.summary));
    }
  }

  #message(message: AgentMessage): void {
    if (message.role === "assistant") {
      this.#begun(message);
      this.#answered(message, true);
    } else if (message.role === "toolResult") {
      const { toolCallId, toolName, content, details, isError } = message;
      this.#ended(this.#call(toolCallId, toolName, undefined), { content, details }, isError);
    } else if (message.role === "bashExecution") {
      this.#userBash(message.command, message.excludeFromContext === true).end(message);
    } else if (message.role === "custom" || message.role === "user") {
      this.#begun(message);
    }
  }

  #begun(message: AgentMessage): void {
    if (message.role === "user") this.#prompt(message.content);
    else if (message.role === "custom" && message.display) {
      this.#toldCustom++;
      this.#transcript.add(new CustomBlock(this.#look, message, this.#around.rendererOf));
    } else if (message.role === "assistant") {
      this.#answer = new AssistantBlock(this.#look, message);
      this.#transcript.add(this.#answer);
      this.#transcript.open.add(this.#answer);
    }
  }

  #prompt(content: string | UserContent[]): void {
    const text = textOfContent(content);
    const images = typeof content === "string" ? [] : content.filter((one) => one.type === "image");
    const skill = SKILL.exec(text);
    if (skill) {
      const [, name = "", body = "", rest = ""] = skill;
      this.#transcript.add(new SummaryBlock(this.#look, `skill ${name}`, body.trim()));
      if (rest === "" && images.length === 0) return;
      this.#transcript.add(new PromptBlock(this.#look, rest, images.length));
    } else this.#transcript.add(new PromptBlock(this.#look, text, images.length));
  }

  #answered(message: AssistantMessage, isWhole: boolean): void {
    this.#answer?.update(message, !isWhole);
    for (const block of message.content) {
      if (block.type !== "toolCall") continue;
      this.#call(block.id, block.name, block.arguments).setArgs(block.arguments, isWhole);
    }
    if (!isWhole) return;
    if (this.#answer) this.#transcript.open.delete(this.#answer);
    this.#answer = undefined;
  }

  #ended(block: ToolBlock, ...[result, isError, stopped]: Parameters<ToolBlock["end"]>): void {
    block.end(result, isError, stopped);
    this.#transcript.open.delete(block);
  }

  /** The last block that there is something of to see. */
  #lastSeen(): Component | undefined {
    return this.#transcript.blocks.findLast(
      (block) => !(block instanceof AssistantBlock) || block.saysSomething,
    );
  }

  #call(id: string, name: string, args: unknown): ToolBlock {
    const known = this.#calls.get(id);
    if (known) return known;
    const block = new ToolBlock(this.#look, this.#around, id, name, args);
    block.hasGap = !(this.#lastSeen() instanceof ToolBlock);
    this.#calls.set(id, block);
    this.#transcript.add(block);
    this.#transcript.open.add(block);
    return block;
  }
}

function resultIn(value: unknown): ShownResult {
  if (!isRecord(value)) return { content: [] };
  const content = Array.isArray(value.content) ? value.content.filter(isContent) : [];
  return { content, details: value.details };
}

function isContent(value: unknown): value is UserContent {
  return isRecord(value) && (value.type === "text" || value.type === "image");
}
