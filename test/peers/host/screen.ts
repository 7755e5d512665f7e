import { stripVTControlCharacters } from "node:util";
import {
  type Component,
  CURSOR_MARKER,
  getKeybindings,
  type OverlayHandle,
  type TUI,
} from "../../../src/terminal/index.ts";

/** 80 columns and 24 rows that nobody looks at: enough for components to be made and drawn. */
export class Screen implements TUI {
  children: Component[] = [];
  readonly fullRedraws = 0;
  /** What was called, in order. */
  readonly calls: string[] = [];
  readonly overlays: { component: Component; handle: OverlayHandle }[] = [];
  readonly terminal = {
    columns: 80,
    rows: 24,
    kittyProtocolActive: false,
    start: () => {},
    stop: () => {},
    drainInput: async () => {},
    write: () => {},
    moveBy: () => {},
    hideCursor: () => {},
    showCursor: () => {},
    clearLine: () => {},
    clearFromCursor: () => {},
    clearScreen: () => {},
    setTitle: () => {},
    setProgress: () => {},
  };

  addChild(component: Component): void {
    this.children.push(component);
  }
  removeChild(component: Component): void {
    this.children = this.children.filter((child) => child !== component);
  }
  clear(): void {
    this.children = [];
  }
  start(): void {
    this.calls.push("start");
  }
  stop(): void {
    this.calls.push("stop");
  }
  requestRender(): void {
    this.calls.push("requestRender");
  }
  setFocus(): void {}
  showOverlay(component: Component): OverlayHandle {
    const handle = overlayHandle();
    this.overlays.push({ component, handle });
    return handle;
  }
  hideOverlay(): void {
    this.overlays.pop();
  }
  hasOverlay(): boolean {
    return this.overlays.length > 0;
  }
  addInputListener(): () => void {
    return () => {};
  }
  removeInputListener(): void {}
  getShowHardwareCursor(): boolean {
    return false;
  }
  setShowHardwareCursor(): void {}
  getClearOnShrink(): boolean {
    return false;
  }
  setClearOnShrink(): void {}
  render(width: number): string[] {
    return this.children.flatMap((child) => child.render(width));
  }
  invalidate(): void {}
}

export function overlayHandle(): OverlayHandle {
  let hidden = false;
  let focused = true;
  return {
    hide: () => {
      hidden = true;
    },
    setHidden: (value) => {
      hidden = value;
    },
    isHidden: () => hidden,
    focus: () => {
      focused = true;
    },
    unfocus: () => {
      focused = false;
    },
    isFocused: () => focused,
  };
}

/** The bindings as the API hands them to factories, for any name of an action. */
export function keybindings() {
  const bindings = getKeybindings();
  type Name = Parameters<typeof bindings.matches>[1];
  return {
    matches: (data: string, binding: string) => bindings.matches(data, binding as Name),
    getKeys: (binding: string): string[] => bindings.getKeys(binding as Name),
  };
}

/** Lines as a person reads them. */
export function plain(lines: readonly string[]): string {
  return stripVTControlCharacters(lines.join("\n").replaceAll(CURSOR_MARKER, ""));
}

export const KEYS = {
  enter: "\r",
  escape: "\u001b",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  space: " ",
} as const;
