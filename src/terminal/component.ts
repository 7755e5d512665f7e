/** Anything that can be drawn: it turns a width into lines, and keys into changes of its state. */
export interface Component {
  /** The lines for this width. No line may be wider than `width`. */
  render(width: number): string[];
  /** One key press, as the terminal sent it. */
  handleInput?(data: string): void;
  /** A component that sets this also receives key releases. */
  wantsKeyRelease?: boolean;
  /** Forget cached lines, for example because the theme changed. */
  invalidate(): void;
}

/** A component that shows a cursor while it has the focus. */
export interface Focusable {
  focused: boolean;
}

export function isFocusable(component: Component | null): component is Component & Focusable {
  return component !== null && "focused" in component;
}

/**
 * Stands in the rendered text where the real cursor belongs. It is an escape sequence of no width
 * that terminals ignore, so a host that does not look for it does no harm.
 */
export const CURSOR_MARKER = "\u001b_pi:c\u0007";
