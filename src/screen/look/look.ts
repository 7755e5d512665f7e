import {
  defaultTheme,
  getMarkdownTheme,
  liveTheme,
  type MarkdownTheme,
  type Theme,
} from "../../terminal/index.ts";
import { Highlighter } from "../markdown/highlight.ts";

type Transform = (
  text: string,
  messageType: "user" | "assistant" | "assistant-thinking",
  isStreaming: boolean,
) => string;

/** How things are drawn now: the theme, and what of them is shown whole. */
export class Look {
  /** Always the theme that the user chose. */
  readonly theme: Theme = liveTheme();
  readonly highlighter: Highlighter;
  /** Tool calls are shown with all they were given and gave back. */
  toolsExpanded = false;
  /** Of what the model thought, only that it did is shown. */
  thinkingHidden = false;
  hiddenThinkingLabel = "Thinking…";
  /** What extensions make of a text before it is drawn. */
  transform: Transform = (text) => text;
  /** Counts what changes the look of everything, so that a block knows when to draw itself anew. */
  #version = 0;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
    this.highlighter = new Highlighter(() => this.changed());
  }

  get version(): number {
    return this.#version;
  }

  changed(): void {
    this.#version++;
    this.#changed();
  }

  markdown(): MarkdownTheme {
    return {
      ...getMarkdownTheme(this.theme),
      highlightCode: (code, language) => this.highlighter.lines(code, language, defaultTheme()),
    };
  }
}
