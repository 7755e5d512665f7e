import type { Component } from "./component.ts";

/** The terminal behind a screen, as far as an extension may touch it. */
export interface Terminal {
  start(onInput: (data: string) => void, onResize: () => void): void;
  /** Gives the terminal back as it was, and writes what is `left` on it below that. */
  stop(left?: string): void;
  drainInput(maxMs?: number, idleMs?: number): Promise<void>;
  write(data: string): void;
  readonly columns: number;
  readonly rows: number;
  readonly kittyProtocolActive: boolean;
  moveBy(lines: number): void;
  hideCursor(): void;
  showCursor(): void;
  clearLine(): void;
  clearFromCursor(): void;
  clearScreen(): void;
  setTitle(title: string): void;
  setProgress(active: boolean): void;
}

export type OverlayAnchor =
  | "center"
  | "top-left"
  | "top-center"
  | "top-right"
  | "left-center"
  | "right-center"
  | "bottom-left"
  | "bottom-center"
  | "bottom-right";

export interface OverlayMargin {
  top?: number;
  right?: number;
  bottom?: number;
  left?: number;
}

/** A number of columns or rows, or a share of the terminal such as `"50%"`. */
export type SizeValue = number | `${number}%`;

export interface OverlayOptions {
  width?: SizeValue;
  minWidth?: number;
  maxHeight?: SizeValue;
  /** Where the overlay stands; the middle of the screen unless told otherwise. */
  anchor?: OverlayAnchor;
  offsetX?: number;
  offsetY?: number;
  row?: SizeValue;
  col?: SizeValue;
  /** Distance from the edges of the terminal; one number for all four. */
  margin?: OverlayMargin | number;
  /** Is called before each drawing, so that an overlay can hide where the terminal is too small. */
  visible?: (termWidth: number, termHeight: number) => boolean;
  /** Leave the keyboard to whoever has it. */
  nonCapturing?: boolean;
}

export interface OverlayHandle {
  /** Remove the overlay for good. */
  hide(): void;
  setHidden(hidden: boolean): void;
  isHidden(): boolean;
  /** Take the keyboard and move in front of other overlays. */
  focus(): void;
  unfocus(): void;
  isFocused(): boolean;
}

/** Sees input before any component: it may swallow it or hand on something else. */
export type InputListener = (data: string) => { consume?: boolean; data?: string } | undefined;

/** The screen handed to an extension's component factories. */
export interface TUI extends Component {
  readonly terminal: Terminal;
  children: Component[];
  onDebug?: () => void;
  addChild(component: Component): void;
  removeChild(component: Component): void;
  clear(): void;
  start(): void;
  stop(): void;
  /** Draw again soon; `force` draws every line, not only those that changed. */
  requestRender(force?: boolean): void;
  setFocus(component: Component | null): void;
  showOverlay(component: Component, options?: OverlayOptions): OverlayHandle;
  /** Remove the topmost overlay. */
  hideOverlay(): void;
  hasOverlay(): boolean;
  /** Returns the function that removes the listener again. */
  addInputListener(listener: InputListener): () => void;
  removeInputListener(listener: InputListener): void;
  getShowHardwareCursor(): boolean;
  setShowHardwareCursor(enabled: boolean): void;
  getClearOnShrink(): boolean;
  setClearOnShrink(enabled: boolean): void;
  readonly fullRedraws: number;
}
