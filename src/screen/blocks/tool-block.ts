import { textOfContent, type UserContent } from "../../events/index.ts";
import { RENDER_HINTS, type ToolRenderers } from "../../extensions/index.ts";
import {
  Box,
  type Component,
  Container,
  safeOutput,
  safeText,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from "../../terminal/index.ts";
import { isRecord } from "../../values/index.ts";
import type { Look } from "../look/look.ts";
import { languageOf } from "../markdown/highlight.ts";
import { Block } from "./block.ts";
import { diffCount, diffLines } from "./diff-lines.ts";
import { Guarded } from "./guarded.ts";
import { duration, toolSummary } from "./tool-summary.ts";

/** What came back from a tool. */
export interface ShownResult {
  readonly content: UserContent[];
  readonly details?: unknown;
}

type State = "waits" | "runs" | "done" | "failed" | "stopped";

const MARKS: Readonly<Record<State, string>> = {
  waits: "◌",
  runs: "◌",
  done: "✓",
  failed: "✗",
  stopped: "✗",
};

const MOST_LINES = 2000;
/** An extension may draw a call as it likes, but not fill the transcript with it. */
const MOST_DRAWN = 500;

export interface ToolSurroundings {
  readonly cwd: string;
  /** How an extension draws the tool, if one does. */
  readonly drawnBy: (name: string) => ToolRenderers | undefined;
  readonly requestRender: () => void;
}

/** A tool call: one line, and the whole on demand; or as its extension draws it. */
export class ToolBlock extends Block {
  readonly id: string;
  readonly #name: string;
  readonly #around: ToolSurroundings;
  #args: unknown;
  #isArgsComplete = false;
  #state: State = "waits";
  #result: ShownResult | undefined;
  #isPartial = true;
  #reason: string | undefined;
  #startedAt: number | undefined;
  #ms = 0;
  readonly #drawn: { call?: Component; result?: Component; shared: Record<string, unknown> } = {
    shared: {},
  };

  constructor(look: Look, around: ToolSurroundings, id: string, name: string, args: unknown) {
    super(look);
    this.#around = around;
    this.id = id;
    this.#name = name;
    this.#args = args;
  }

  setArgs(args: unknown, isComplete: boolean): void {
    this.#args = args;
    this.#isArgsComplete = isComplete;
    this.invalidate();
  }

  start(): void {
    this.#state = "runs";
    this.#isArgsComplete = true;
    this.#startedAt ??= performance.now();
    this.invalidate();
  }

  update(result: ShownResult): void {
    this.#result = result;
    this.invalidate();
  }

  end(result: ShownResult, isError: boolean, stopped?: { reason: string; by?: string }): void {
    this.#result = result;
    this.#isPartial = false;
    this.#isArgsComplete = true;
    this.#state = stopped ? "stopped" : isError ? "failed" : "done";
    if (stopped) {
      this.#reason = `${stopped.by === undefined ? "" : `${stopped.by}: `}${stopped.reason}`;
    }
    if (this.#startedAt !== undefined) this.#ms = performance.now() - this.#startedAt;
    this.invalidate();
  }

  protected draw(width: number): readonly string[] {
    const tool = this.#around.drawnBy(this.#name);
    if (tool?.renderCall || tool?.renderResult) return this.#drawByExtension(tool, width);
    return [this.#line(width), ...this.#below(width)];
  }

  #title(): string {
    const { theme } = this.look;
    return theme.bold(theme.fg("toolTitle", this.#name));
  }

  #line(width: number): string {
    const { theme } = this.look;
    const { name, about } = toolSummary(this.#name, this.#args);
    const color = this.#state === "done" ? "success" : this.#isOver ? "error" : "warning";
    const first = safeText(about).split("\n");
    const more = first.length > 1 ? " …" : "";
    const end = [this.#change(), duration(this.#ms)].filter((text) => text !== "").join("  ");
    const tail = end === "" ? "" : `  ${end}`;
    const head = `${MARKS[this.#state]} ${name} `;
    const room = Math.max(0, width - visibleWidth(head) - visibleWidth(tail));
    const shown = truncateToWidth((first[0] ?? "") + more, room, "…");
    const painted = theme.fg(color, MARKS[this.#state]);
    return `${painted} ${theme.bold(theme.fg("toolTitle", name))} ${shown}${theme.fg("dim", tail)}`;
  }

  get #isOver(): boolean {
    return this.#state === "failed" || this.#state === "stopped";
  }

  #below(width: number): string[] {
    const { theme, toolsExpanded } = this.look;
    const indented = (line: string) => truncateToWidth(`  ${line}`, width, "…");
    if (this.#reason !== undefined) {
      const lines = wrapTextWithAnsi(safeText(this.#reason), Math.max(1, width - 2));
      return lines.map((line) => theme.fg("error", `  ${line}`));
    }
    if (toolsExpanded) return this.#whole(width).map(indented);
    if (this.#state !== "failed") return [];
    const [first = ""] = this.#output().trim().split("\n").slice(-1);
    return first === "" ? [] : [theme.fg("error", indented(first))];
  }

  /** Everything the tool was given and gave back. */
  #whole(width: number): string[] {
    const { theme, highlighter } = this.look;
    const args = isRecord(this.#args) ? this.#args : {};
    const path = typeof args.path === "string" ? args.path : "";
    const lines: string[] = [];
    if (typeof args.command === "string" && args.command.includes("\n")) {
      lines.push(...highlighter.lines(args.command, "bash", theme));
    } else if (!path && typeof args.command !== "string" && Object.keys(args).length > 0) {
      lines.push(...highlighter.lines(JSON.stringify(args, null, 2), "json", theme));
    }
    const diff = this.#diff();
    if (diff !== undefined) return [...lines, ...diffLines(diff, theme)];
    if (this.#name === "write" && typeof args.content === "string") {
      return cut([...lines, ...highlighter.lines(args.content, languageOf(path), theme)]);
    }
    const output = this.#output().replace(/\n+$/, "");
    if (output === "") return lines;
    const language = this.#name === "read" ? languageOf(path) : undefined;
    const body =
      language === undefined
        ? output
            .split("\n")
            .flatMap((line) => wrapTextWithAnsi(line, Math.max(1, width - 2)))
            .map((line) => theme.fg("toolOutput", line))
        : highlighter.lines(output, language, theme);
    return cut([...lines, ...body]);
  }

  #output(): string {
    return safeOutput(textOfContent(this.#result?.content ?? []));
  }

  #diff(): string | undefined {
    const details = this.#result?.details;
    return isRecord(details) && typeof details.diff === "string" ? details.diff : undefined;
  }

  #change(): string {
    const diff = this.#diff();
    return diff === undefined ? "" : diffCount(diff);
  }

  #drawByExtension(tool: ToolRenderers, width: number): readonly string[] {
    const { theme } = this.look;
    const background = this.#isOver
      ? "toolErrorBg"
      : this.#state === "done"
        ? "toolSuccessBg"
        : "toolPendingBg";
    const shell =
      tool.renderShell === "self"
        ? new Container()
        : new Box(1, 1, (text) => theme.bg(background, text));
    // What the call is about, its extension tells with the result.
    const fallback = { render: () => [this.#title()], invalidate() {} };
    shell.addChild(this.#guarded("call", () => tool.renderCall?.(...this.#callArgs()), fallback));
    const result = this.#result;
    if (result) {
      const options = { expanded: this.look.toolsExpanded, isPartial: this.#isPartial };
      const whole = {
        render: (room: number) => this.#whole(room),
        invalidate() {},
      };
      const draw = () =>
        tool.renderResult?.(
          { ...result, details: result.details },
          options,
          theme,
          this.#context("result"),
        );
      shell.addChild(this.#guarded("result", draw, this.look.toolsExpanded ? whole : undefined));
    }
    return shell.render(width);
  }

  #callArgs(): Parameters<NonNullable<ToolRenderers["renderCall"]>> {
    return [isRecord(this.#args) ? this.#args : {}, this.look.theme, this.#context("call")];
  }

  #guarded(
    part: "call" | "result",
    make: () => Component | undefined,
    otherwise: Component | undefined,
  ): Component {
    let made: Component | undefined;
    let failed: Component | undefined;
    try {
      made = make();
    } catch (thrown) {
      failed = {
        render: () => {
          throw thrown;
        },
        invalidate() {},
      };
    }
    if (made) this.#drawn[part] = made;
    const inner = made ?? failed ?? otherwise ?? { render: () => [], invalidate() {} };
    return new Guarded(inner, {
      what: `What draws the ${part} of ${this.#name}`,
      theme: this.look.theme,
      maxLines: () => MOST_DRAWN,
    });
  }

  #context(part: "call" | "result") {
    return {
      ...RENDER_HINTS,
      durationMs: this.#isPartial ? undefined : this.#ms,
      args: isRecord(this.#args) ? this.#args : {},
      toolCallId: this.id,
      invalidate: () => {
        this.invalidate();
        this.#around.requestRender();
      },
      lastComponent: this.#drawn[part],
      state: this.#drawn.shared,
      cwd: this.#around.cwd,
      executionStarted: this.#state !== "waits",
      argsComplete: this.#isArgsComplete,
      isPartial: this.#isPartial,
      expanded: this.look.toolsExpanded,
      showImages: false,
      isError: this.#isOver,
    };
  }
}

function cut(lines: string[]): string[] {
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `… ${lines.length - MOST_LINES} more lines`];
}
