import { type Component, isFocusable } from "../component.ts";
import { Container } from "../components/container.ts";
import { isKeyRelease } from "../keys/match.ts";
import type { InputListener, OverlayHandle, OverlayOptions, Terminal, TUI } from "../tui.ts";
import { type Frame, FrameMaker } from "./frame.ts";
import { placeOverlay, withOverlay } from "./overlays.ts";
import { paintFrame, printFrame, scrollOut, scrollRows } from "./paint-frame.ts";

/** However often somebody asks for it, the screen is drawn at most this often. */
const FRAME_MS = 16;

/** Draws the whole screen: `rows` lines for a width, the last ones of the children without it. */
export type Layout = (columns: number, rows: number) => readonly string[];

/** What goes into the scrollback of a terminal whose own screen is used. */
export interface Scrollback {
  /** The lines that have left the screen at its upper edge since this was last asked, after a layout. */
  readonly scrolledOff: () => readonly string[];
  /** Those that are still to come, when the terminal is given back. */
  readonly rest: (columns: number) => readonly string[];
}

export interface ScreenOptions {
  readonly layout?: Layout;
  /** Without it, the terminal's other screen is used, which keeps nothing. */
  readonly scrollback?: Scrollback;
  /** A component threw while it was drawn or took a key. */
  readonly onError?: (thrown: unknown) => void;
}

interface Overlay {
  readonly component: Component;
  readonly options: OverlayOptions;
  /** Who had the keyboard before. */
  readonly before: Component | null;
  hidden: boolean;
}

/** The screen: draws what changed, a frame at a time, and hands keys to whoever has the focus. */
export class TerminalScreen extends Container implements TUI {
  readonly terminal: Terminal;
  onDebug?: () => void;
  readonly #options: ScreenOptions;
  readonly #maker = new FrameMaker();
  #overlays: Overlay[] = [];
  #listeners: InputListener[] = [];
  #focused: Component | null = null;
  #shown: Frame | undefined;
  #timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  #lastFrame = 0;
  #isOn = false;
  #rows = 0;
  #showCursor = false;
  #clearOnShrink = false;
  #fullRedraws = 0;

  constructor(terminal: Terminal, options: ScreenOptions = {}) {
    super();
    this.terminal = terminal;
    this.#options = options;
  }

  get fullRedraws(): number {
    return this.#fullRedraws;
  }

  start(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#shown = undefined;
    this.terminal.start(
      (data) => this.#hear(data),
      () => this.#resized(),
    );
    this.#rows = this.terminal.rows;
    this.drawNow();
  }

  /** Gives the terminal back. The lines that are `left` stay there, below what was there before. */
  stop(left: readonly string[] = this.#rest()): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#cancelTimer();
    this.terminal.stop(printFrame(this.#maker.make(left, this.terminal.columns, left.length)));
  }

  requestRender(force = false): void {
    if (force) this.#shown = undefined;
    if (!this.#isOn || this.#timer) return;
    const wait = this.#lastFrame + FRAME_MS - performance.now();
    const draw = () => this.drawNow();
    // At once, but together with everything else that happens in this turn of the loop.
    this.#timer = wait <= 0 ? setImmediate(draw) : setTimeout(draw, wait);
  }

  /** Draws without waiting for the next frame. */
  drawNow(): void {
    this.#cancelTimer();
    if (!this.#isOn) return;
    this.#lastFrame = performance.now();
    const { columns, rows } = this.terminal;
    const made = this.#maker.make(this.#compose(columns, rows), columns, rows);
    const isCursorShown = this.#showCursor && made.cursor !== undefined;
    const frame = { ...made, cursor: made.cursor ?? this.#cursorBelow(made.lines), isCursorShown };
    if (!this.#shown) this.#fullRedraws++;
    const bytes = this.#options.scrollback
      ? this.#paintBelow(frame)
      : paintFrame(this.#shown, frame);
    this.#shown = frame;
    if (bytes !== "") this.terminal.write(bytes);
  }

  /** Whoever prints on the terminal's own screen after this process was killed must not hit what was said. */
  #cursorBelow(lines: readonly string[]): Frame["cursor"] {
    if (!this.#options.scrollback) return undefined;
    return {
      row: Math.max(
        0,
        lines.findLastIndex((line) => line !== ""),
      ),
      column: 0,
    };
  }

  /** Lets the terminal keep what has scrolled off, then paints what is seen. */
  #paintBelow(frame: Frame): string {
    const { columns, lines } = frame;
    const off = this.#options.scrollback?.scrolledOff() ?? [];
    if (off.length === 0) return paintFrame(this.#shown, frame, true);
    const blank: Frame = { columns, lines: lines.map(() => "") };
    const isSameSize =
      this.#shown?.columns === columns && this.#shown.lines.length === lines.length;
    const before = isSameSize && this.#shown ? this.#shown : blank;
    const erased = before === blank ? paintFrame(undefined, blank, true) : "";
    const { bytes, shown } = scrollOut(before, this.#maker.make(off, columns, off.length).lines);
    return erased + bytes + paintFrame(shown, frame, true);
  }

  /** A terminal that grew has fetched lines back from its scrollback: they must not be painted over. */
  #resized(): void {
    const { rows } = this.terminal;
    const grown = rows - this.#rows;
    this.#rows = rows;
    if (this.#options.scrollback && grown > 0) this.terminal.write(scrollRows(rows, grown));
    this.requestRender();
  }

  #rest(): readonly string[] {
    return this.#options.scrollback?.rest(this.terminal.columns) ?? [];
  }

  setFocus(component: Component | null): void {
    if (isFocusable(this.#focused)) this.#focused.focused = false;
    this.#focused = component;
    if (isFocusable(component)) component.focused = true;
    this.requestRender();
  }

  get focusedComponent(): Component | null {
    return this.#focused;
  }

  showOverlay(component: Component, options: OverlayOptions = {}): OverlayHandle {
    const overlay: Overlay = { component, options, before: this.#focused, hidden: false };
    this.#overlays.push(overlay);
    if (!options.nonCapturing && this.#isVisible(overlay)) this.setFocus(component);
    this.requestRender();
    return {
      hide: () => this.#remove(overlay),
      setHidden: (hidden) => {
        if (overlay.hidden === hidden) return;
        overlay.hidden = hidden;
        if (hidden) this.#giveBack(overlay);
        else if (!options.nonCapturing) this.setFocus(component);
        this.requestRender();
      },
      isHidden: () => overlay.hidden,
      focus: () => {
        if (!this.#overlays.includes(overlay) || overlay.hidden) return;
        this.#overlays = [...this.#overlays.filter((one) => one !== overlay), overlay];
        this.setFocus(component);
      },
      unfocus: () => this.#giveBack(overlay),
      isFocused: () => this.#focused === component,
    };
  }

  hideOverlay(): void {
    const top = this.#overlays.at(-1);
    if (top) this.#remove(top);
  }

  hasOverlay(): boolean {
    return this.#overlays.some((one) => this.#isVisible(one));
  }

  addInputListener(listener: InputListener): () => void {
    this.#listeners.push(listener);
    return () => this.removeInputListener(listener);
  }

  removeInputListener(listener: InputListener): void {
    this.#listeners = this.#listeners.filter((one) => one !== listener);
  }

  getShowHardwareCursor(): boolean {
    return this.#showCursor;
  }

  setShowHardwareCursor(enabled: boolean): void {
    this.#showCursor = enabled;
    this.requestRender();
  }

  getClearOnShrink(): boolean {
    return this.#clearOnShrink;
  }

  setClearOnShrink(enabled: boolean): void {
    this.#clearOnShrink = enabled;
  }

  override invalidate(): void {
    super.invalidate();
    for (const { component } of this.#overlays) component.invalidate?.();
  }

  #compose(columns: number, rows: number): readonly string[] {
    const { layout } = this.#options;
    let lines = layout ? [...layout(columns, rows)] : this.render(columns).slice(-rows);
    while (lines.length < rows) lines.push("");
    for (const overlay of this.#overlays.filter((one) => this.#isVisible(one))) {
      try {
        const place = placeOverlay(overlay.component, overlay.options, { columns, rows });
        lines = withOverlay(lines, place, columns);
      } catch (thrown) {
        this.#options.onError?.(thrown);
      }
    }
    return lines;
  }

  #isVisible({ hidden, options }: Overlay): boolean {
    if (hidden) return false;
    try {
      return options.visible?.(this.terminal.columns, this.terminal.rows) ?? true;
    } catch (thrown) {
      this.#options.onError?.(thrown);
      return false;
    }
  }

  #remove(overlay: Overlay): void {
    if (!this.#overlays.includes(overlay)) return;
    this.#giveBack(overlay);
    this.#overlays = this.#overlays.filter((one) => one !== overlay);
    this.requestRender();
  }

  /** The keyboard goes to the overlay that is on top now, or to whoever had it before. */
  #giveBack(overlay: Overlay): void {
    if (this.#focused !== overlay.component) return;
    const next = this.#overlays.findLast(
      (one) => one !== overlay && !one.options.nonCapturing && this.#isVisible(one),
    );
    this.setFocus(next?.component ?? this.#origin(overlay));
  }

  #origin({ before }: Overlay): Component | null {
    const inside = this.#overlays.find(({ component }) => component === before);
    return inside ? this.#origin(inside) : before;
  }

  #hear(data: string): void {
    let heard = data;
    try {
      for (const listener of [...this.#listeners]) {
        const said = listener(heard);
        if (said?.consume) {
          this.requestRender();
          return;
        }
        heard = said?.data ?? heard;
      }
      const target = this.#focused;
      if (isKeyRelease(heard) && !target?.wantsKeyRelease) return;
      target?.handleInput?.(heard);
    } catch (thrown) {
      this.#options.onError?.(thrown);
    }
    this.requestRender();
  }

  #cancelTimer(): void {
    if (!this.#timer) return;
    // One of them is the right one, the other one does nothing.
    clearTimeout(this.#timer as NodeJS.Timeout);
    clearImmediate(this.#timer as NodeJS.Immediate);
    this.#timer = undefined;
  }
}
