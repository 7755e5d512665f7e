import { textOfContent } from "../../../events/index.ts";
import { RENDER_HINTS, type ToolDefinition } from "../../../extensions/index.ts";
import {
  Box,
  type Component,
  Container,
  defaultTheme,
  Image,
  Spacer,
  Text,
  type TUI,
  truncateToWidth,
} from "../../../terminal/index.ts";
import type { ToolResult } from "../../../tools/index.ts";

type Drawn = Pick<ToolDefinition, "renderCall" | "renderResult" | "renderShell" | "label">;

const SHOWN_LINES = 10;

/** A tool call with its result, drawn by the tool itself where it can. */
export class ToolExecutionComponent extends Container {
  readonly #name: string;
  readonly #id: string;
  readonly #tool: Drawn | undefined;
  readonly #ui: Pick<TUI, "requestRender"> | undefined;
  readonly #cwd: string;
  readonly #state: Record<string, unknown> = {};
  readonly #last: { call?: Component; result?: Component } = {};
  #args: unknown;
  #result: ToolResult | undefined;
  #showsImages: boolean;
  #imageWidth: number;
  #isPartial = true;
  #expanded = false;
  #started = false;
  #argsComplete = false;

  constructor(
    name: string,
    id: string,
    args: unknown,
    options: { showImages?: boolean; imageWidthCells?: number } = {},
    tool?: Drawn,
    ui?: Pick<TUI, "requestRender">,
    cwd: string = process.cwd(),
  ) {
    super();
    this.#name = name;
    this.#id = id;
    this.#args = args;
    this.#showsImages = options.showImages ?? true;
    this.#imageWidth = options.imageWidthCells ?? 60;
    this.#tool = tool;
    this.#ui = ui;
    this.#cwd = cwd;
    this.#draw();
  }

  updateArgs(args: unknown): void {
    this.#args = args;
    this.#draw();
  }
  markExecutionStarted(): void {
    this.#started = true;
    this.#draw();
  }
  setArgsComplete(): void {
    this.#argsComplete = true;
    this.#draw();
  }
  updateResult(result: ToolResult, isPartial = false): void {
    this.#result = result;
    this.#isPartial = isPartial;
    this.#draw();
  }
  setExpanded(expanded: boolean): void {
    this.#expanded = expanded;
    this.#draw();
  }
  setShowImages(show: boolean): void {
    this.#showsImages = show;
    this.#draw();
  }
  setImageWidthCells(width: number): void {
    this.#imageWidth = width;
    this.#draw();
  }
  override invalidate(): void {
    super.invalidate();
    this.#draw();
  }

  #draw(): void {
    this.clear();
    const theme = defaultTheme();
    const color = this.#isPartial
      ? "toolPendingBg"
      : this.#result?.isError
        ? "toolErrorBg"
        : "toolSuccessBg";
    const own = this.#tool?.renderShell === "self";
    const shell = own ? new Container() : new Box(1, 1, (text) => theme.bg(color, text));
    shell.addChild(this.#call());
    const result = this.#shownResult();
    if (result) shell.addChild(result);
    if (!own) this.addChild(new Spacer(1));
    this.addChild(shell);
    for (const picture of this.#pictures()) this.addChild(picture);
  }

  #call(): Component {
    const theme = defaultTheme();
    const own = this.#attempt("call", () =>
      this.#tool?.renderCall?.(Object(this.#args), theme, this.#context(this.#last.call)),
    );
    if (own) return own;
    const args = truncateToWidth(JSON.stringify(this.#args ?? {}), 200);
    return new Text(
      `${theme.fg("toolTitle", theme.bold(this.#tool?.label ?? this.#name))} ${theme.fg("muted", args)}`,
      0,
      0,
    );
  }

  #shownResult(): Component | undefined {
    const result = this.#result;
    if (!result) return undefined;
    const options = { expanded: this.#expanded, isPartial: this.#isPartial };
    const own = this.#attempt("result", () =>
      this.#tool?.renderResult?.(result, options, defaultTheme(), this.#context(this.#last.result)),
    );
    if (own) return own;
    const lines = textOfContent(result.content).trimEnd().split("\n");
    const shown = this.#expanded ? lines : lines.slice(0, SHOWN_LINES);
    const more = lines.length > shown.length ? `\n… ${lines.length - shown.length} more lines` : "";
    return new Text(defaultTheme().fg("toolOutput", shown.join("\n") + more), 0, 0);
  }

  /** A renderer that throws is replaced by the plain view. */
  #attempt(kind: "call" | "result", render: () => Component | undefined): Component | undefined {
    try {
      const drawn = render();
      if (drawn) this.#last[kind] = drawn;
      return drawn;
    } catch {
      return undefined;
    }
  }

  #pictures(): Component[] {
    const pictures = (this.#result?.content ?? []).filter((block) => block.type === "image");
    if (!this.#showsImages) return [];
    const theme = { fallbackColor: (text: string) => defaultTheme().fg("muted", text) };
    return pictures.map(
      ({ data, mimeType }) => new Image(data, mimeType, theme, { maxWidthCells: this.#imageWidth }),
    );
  }

  #context(lastComponent: Component | undefined) {
    return {
      ...RENDER_HINTS,
      durationMs: undefined,
      args: Object(this.#args),
      toolCallId: this.#id,
      invalidate: () => {
        this.#draw();
        this.#ui?.requestRender();
      },
      lastComponent,
      state: this.#state,
      cwd: this.#cwd,
      executionStarted: this.#started,
      argsComplete: this.#argsComplete,
      isPartial: this.#isPartial,
      expanded: this.#expanded,
      showImages: this.#showsImages,
      isError: this.#result?.isError === true,
    };
  }
}
