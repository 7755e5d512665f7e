import { type AssistantMessage, type CustomMessage, textOfContent } from "../../../events/index.ts";
import { type MessageRenderer, RENDER_HINTS } from "../../../extensions/index.ts";
import {
  Box,
  type Component,
  Container,
  defaultTheme,
  getMarkdownTheme,
  Markdown,
  type MarkdownTheme,
  Spacer,
  Text,
  type ThemeBg,
} from "../../../terminal/index.ts";

const onColour = (color: ThemeBg) => (text: string) => defaultTheme().bg(color, text);

/** What the user said. */
export class UserMessageComponent extends Container {
  constructor(text: string, theme: MarkdownTheme = getMarkdownTheme()) {
    super();
    const box = new Box(1, 1, onColour("userMessageBg"));
    box.addChild(
      new Markdown(text, 0, 0, theme, {
        color: (line) => defaultTheme().fg("userMessageText", line),
      }),
    );
    this.addChild(box);
  }
}

/** What the model said and thought. */
export class AssistantMessageComponent extends Container {
  readonly #theme: MarkdownTheme;
  #message: AssistantMessage | undefined;
  #hidesThinking: boolean;
  #label: string;

  constructor(
    message?: AssistantMessage,
    hidesThinking = false,
    theme: MarkdownTheme = getMarkdownTheme(),
    label = "Thinking...",
  ) {
    super();
    this.#theme = theme;
    this.#hidesThinking = hidesThinking;
    this.#label = label;
    if (message) this.updateContent(message);
  }

  setHideThinkingBlock(hide: boolean): void {
    this.#hidesThinking = hide;
    this.#draw();
  }
  setHiddenThinkingLabel(label: string): void {
    this.#label = label;
    this.#draw();
  }
  updateContent(message: AssistantMessage): void {
    this.#message = message;
    this.#draw();
  }

  #draw(): void {
    this.clear();
    const theme = defaultTheme();
    const dim = (text: string) => theme.italic(theme.fg("thinkingText", text));
    for (const block of this.#message?.content ?? []) {
      const text =
        block.type === "text"
          ? block.text.trim()
          : block.type === "thinking"
            ? block.thinking.trim()
            : "";
      if (text === "") continue;
      this.addChild(new Spacer(1));
      if (block.type === "text") this.addChild(new Markdown(text, 1, 0, this.#theme));
      else if (this.#hidesThinking) this.addChild(new Text(dim(this.#label), 1, 0));
      else this.addChild(new Markdown(text, 1, 0, this.#theme, { color: dim }));
    }
    const { stopReason, errorMessage } = this.#message ?? {};
    if (stopReason !== "error" && stopReason !== "aborted") return;
    this.addChild(new Text(theme.fg("error", errorMessage ?? "The answer was interrupted."), 1, 0));
  }
}

/** Something with a title that can be shown in one line or as a whole. */
abstract class Foldable extends Box {
  #expanded = false;

  constructor(color: ThemeBg) {
    super(1, 1, onColour(color));
  }

  setExpanded(expanded: boolean): void {
    this.#expanded = expanded;
    this.redraw();
  }

  /** To be called once there is something to draw. */
  protected redraw(): void {
    this.clear();
    for (const child of this.parts(this.#expanded)) this.addChild(child);
  }

  protected abstract parts(expanded: boolean): Component[];
}

const label = (text: string) =>
  new Text(defaultTheme().fg("customMessageLabel", defaultTheme().bold(text)), 0, 0);

export class CompactionSummaryMessageComponent extends Foldable {
  readonly #message: { summary: string; tokensBefore: number };
  readonly #theme: MarkdownTheme;

  constructor(
    message: { summary: string; tokensBefore: number },
    theme: MarkdownTheme = getMarkdownTheme(),
  ) {
    super("customMessageBg");
    this.#message = message;
    this.#theme = theme;
    this.redraw();
  }

  protected parts(expanded: boolean): Component[] {
    const { summary, tokensBefore } = this.#message;
    const title = label(`[compaction] ${tokensBefore.toLocaleString("en")} tokens were summarised`);
    return expanded ? [title, new Spacer(1), new Markdown(summary, 0, 0, this.#theme)] : [title];
  }
}

export class BranchSummaryMessageComponent extends Foldable {
  readonly #summary: string;
  readonly #theme: MarkdownTheme;

  constructor(message: { summary: string }, theme: MarkdownTheme = getMarkdownTheme()) {
    super("customMessageBg");
    this.#summary = message.summary;
    this.#theme = theme;
    this.redraw();
  }

  protected parts(expanded: boolean): Component[] {
    const title = label("[branch] A summary of the branch that was left");
    return expanded
      ? [title, new Spacer(1), new Markdown(this.#summary, 0, 0, this.#theme)]
      : [title];
  }
}

export class SkillInvocationMessageComponent extends Foldable {
  readonly #skill: { name: string; content: string };
  readonly #theme: MarkdownTheme;

  constructor(skill: { name: string; content: string }, theme: MarkdownTheme = getMarkdownTheme()) {
    super("customMessageBg");
    this.#skill = skill;
    this.#theme = theme;
    this.redraw();
  }

  protected parts(expanded: boolean): Component[] {
    const { name, content } = this.#skill;
    const title = label(`[skill] ${name}`);
    return expanded ? [title, new Spacer(1), new Markdown(content, 0, 0, this.#theme)] : [title];
  }
}

/** A message of an extension, drawn by the extension if it can. */
export class CustomMessageComponent extends Container {
  readonly #message: CustomMessage;
  readonly #renderer: MessageRenderer | undefined;
  readonly #theme: MarkdownTheme;
  #expanded = false;

  constructor(
    message: CustomMessage,
    renderer?: MessageRenderer,
    theme: MarkdownTheme = getMarkdownTheme(),
  ) {
    super();
    this.#message = message;
    this.#renderer = renderer;
    this.#theme = theme;
    this.#draw();
  }

  setExpanded(expanded: boolean): void {
    this.#expanded = expanded;
    this.#draw();
  }

  #draw(): void {
    this.clear();
    this.addChild(new Spacer(1));
    this.addChild(this.#own() ?? this.#plain());
  }

  #own(): Component | undefined {
    try {
      const options = { ...RENDER_HINTS, expanded: this.#expanded };
      return this.#renderer?.(this.#message, options, defaultTheme());
    } catch {
      // A renderer that throws must not take the message away.
      return undefined;
    }
  }

  #plain(): Component {
    const box = new Box(1, 1, onColour("customMessageBg"));
    box.addChild(label(`[${this.#message.customType}]`));
    box.addChild(new Markdown(textOfContent(this.#message.content), 0, 0, this.#theme));
    return box;
  }
}

const SHOWN_LINES = 20;

/** A command of the user with what it prints. */
export class BashExecutionComponent extends Container {
  readonly #command: string;
  readonly #excluded: boolean;
  #output = "";
  #end = "running…";
  #expanded = false;

  constructor(command: string, _ui?: object, excludeFromContext = false) {
    super();
    this.#command = command;
    this.#excluded = excludeFromContext;
    this.#draw();
  }

  getCommand = () => this.#command;
  getOutput = () => this.#output;
  setExpanded(expanded: boolean): void {
    this.#expanded = expanded;
    this.#draw();
  }
  appendOutput(chunk: string): void {
    this.#output += chunk;
    this.#draw();
  }
  setComplete(
    exitCode: number | undefined,
    cancelled: boolean,
    _truncation?: object,
    fullOutputPath?: string,
  ): void {
    const failed = exitCode !== undefined && exitCode !== 0 ? `exit code ${exitCode}` : "";
    this.#end = [cancelled ? "cancelled" : failed, fullOutputPath && `all of it: ${fullOutputPath}`]
      .filter(Boolean)
      .join(", ");
    this.#draw();
  }

  #draw(): void {
    this.clear();
    const theme = defaultTheme();
    const lines = this.#output.trimEnd().split("\n");
    const shown = this.#expanded ? lines : lines.slice(-SHOWN_LINES);
    const hidden = lines.length - shown.length;
    this.addChild(
      new Text(
        theme.fg(this.#excluded ? "dim" : "bashMode", theme.bold(`$ ${this.#command}`)),
        1,
        0,
      ),
    );
    if (hidden > 0) this.addChild(new Text(theme.fg("muted", `… ${hidden} more lines`), 1, 0));
    if (this.#output !== "") this.addChild(new Text(theme.fg("muted", shown.join("\n")), 1, 0));
    if (this.#end !== "") this.addChild(new Text(theme.fg("dim", `(${this.#end})`), 1, 0));
  }
}
