import { StringDecoder } from "node:string_decoder";
import type { BashExecutionMessage } from "../../events/index.ts";
import {
  keyText,
  Markdown,
  safeOutput,
  safeText,
  type ThemeColor,
  truncateToWidth,
  wrapTextWithAnsi,
} from "../../terminal/index.ts";
import type { Look } from "../look/look.ts";
import { Block } from "./block.ts";

/** Lines and characters of a prompt that are shown, and those that are shown on demand. */
const MOST_PROMPT = [40, 8_000] as const;
const MOST_WHOLE = [1_000, 100_000] as const;

/** What the user said. */
export class PromptBlock extends Block {
  readonly #text: string;
  readonly #images: number;

  constructor(look: Look, text: string, images = 0) {
    super(look);
    this.#text = text;
    this.#images = images;
  }

  protected draw(width: number): string[] {
    const { theme } = this.look;
    const pictures = this.#images > 0 ? [theme.fg("dim", `[${this.#images} image(s)]`)] : [];
    const style = { color: (text: string) => theme.fg("userMessageText", text) };
    const inner = Math.max(1, width - 2);
    const { text, left } = this.#shownPart();
    const shown = safeText(this.look.transform(text, "user", false));
    const said = new Markdown(shown, 0, 0, this.look.markdown(), style);
    const more = left > 0 ? [theme.fg("dim", truncateToWidth(this.#hint(left), inner, "…"))] : [];
    const bar = theme.fg("accent", "▌ ");
    return [...said.render(inner), ...more, ...pictures].map((line) => bar + line);
  }

  /** What was pasted may be as long as a book: its beginning is shown, and more on demand. */
  #shownPart(): { readonly text: string; readonly left: number } {
    const [lines, chars] = this.look.toolsExpanded ? MOST_WHOLE : MOST_PROMPT;
    const text = this.#text.slice(0, chars).split("\n").slice(0, lines).join("\n");
    return { text, left: this.#text.length - text.length };
  }

  #hint(left: number): string {
    const key = this.look.toolsExpanded ? "" : `, ${keyText("app.tools.expand")} shows more`;
    return `… ${left.toLocaleString("en-US")} more characters${key}`;
  }
}

/** A notice: of an extension, of the agent, or about something that went wrong. */
export class NoticeBlock extends Block {
  readonly #text: string;
  readonly #level: "info" | "warning" | "error";

  constructor(look: Look, text: string, level: "info" | "warning" | "error" = "info") {
    super(look);
    this.#text = text;
    this.#level = level;
  }

  protected draw(width: number): string[] {
    const { theme } = this.look;
    const [sign, color]: [string, ThemeColor] =
      this.#level === "error"
        ? ["✗ ", "error"]
        : this.#level === "warning"
          ? ["! ", "warning"]
          : ["", "muted"];
    return wrapTextWithAnsi(sign + safeText(this.#text), width).map((line) =>
      theme.fg(color, line),
    );
  }
}

/** A summary that took the place of something longer: one line, the whole on demand. */
export class SummaryBlock extends Block {
  readonly #title: string;
  readonly #text: string;

  constructor(look: Look, title: string, text: string) {
    super(look);
    this.#title = title;
    this.#text = text;
  }

  protected draw(width: number): string[] {
    const { theme, toolsExpanded } = this.look;
    const title = theme.fg("customMessageLabel", truncateToWidth(`▸ ${this.#title}`, width, "…"));
    if (!toolsExpanded) return [title];
    const text = new Markdown(safeText(this.#text), 2, 0, this.look.markdown());
    return [title, ...text.render(width)];
  }
}

const SHOWN_LINES = 12;
const MOST_LIVE_CHARS = 20_000;

/** A command the user ran with `!`. */
export class UserBashBlock extends Block {
  readonly #command: string;
  readonly #isExcluded: boolean;
  readonly #decoder = new StringDecoder("utf8");
  #output = "";
  #result: BashExecutionMessage | undefined;

  constructor(look: Look, command: string, isExcluded: boolean) {
    super(look);
    this.#command = command;
    this.#isExcluded = isExcluded;
  }

  /** While it runs, the end of what it printed is enough: the whole comes with the result. */
  addOutput(data: Buffer): void {
    this.#output = (this.#output + this.#decoder.write(data)).slice(-MOST_LIVE_CHARS);
    this.invalidate();
  }

  end(result: BashExecutionMessage): void {
    this.#result = result;
    this.#output = result.output;
    this.invalidate();
  }

  protected draw(width: number): string[] {
    const { theme, toolsExpanded } = this.look;
    const sign = this.#isExcluded ? "!!" : "!";
    const head = theme.fg("bashMode", `${sign} ${safeText(this.#command)}`);
    const text = safeOutput(this.#output).replace(/\n+$/, "");
    const all = text === "" ? [] : text.split("\n");
    const shown = toolsExpanded ? all : all.slice(-SHOWN_LINES);
    const left = all.length - shown.length;
    return [
      ...wrapTextWithAnsi(head, width),
      ...(left > 0
        ? [theme.fg("dim", `  … ${left} more lines, ${keyText("app.tools.expand")} shows them`)]
        : []),
      ...shown.map((line) => theme.fg("toolOutput", truncateToWidth(`  ${line}`, width, "…"))),
      ...this.#end().map((line) => theme.fg("dim", truncateToWidth(line, width, "…"))),
    ];
  }

  #end(): string[] {
    const result = this.#result;
    if (!result) return [`  ◌ runs; ${keyText("app.interrupt")} stops it`];
    if (result.cancelled) return ["  ✗ stopped"];
    if (result.exitCode) return [`  ✗ ended with ${result.exitCode}`];
    const { fullOutputPath } = result;
    return fullOutputPath === undefined ? [] : [`  all of it: ${fullOutputPath}`];
  }
}
