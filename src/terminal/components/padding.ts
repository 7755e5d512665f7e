import { type Paint, paintLine } from "../text/background.ts";

interface Padding {
  readonly x: number;
  readonly y: number;
  readonly paint: Paint | undefined;
}

/** How much padding a width allows on each side: at least one column stays for the content. */
export function sidePadding(wanted: number, width: number): number {
  return Math.max(0, Math.min(wanted, Math.floor((width - 1) / 2)));
}

/**
 * Draws content with empty columns and rows around it and a background behind all of it.
 * The content learns how many columns are left for it; without content there is no padding either.
 */
export function padded(
  width: number,
  { x, y, paint }: Padding,
  content: (contentWidth: number) => string[],
): string[] {
  const side = sidePadding(x, width);
  const inner = Math.max(0, width - side * 2);
  const lines = content(inner);
  if (lines.length === 0) return [];
  const margin = " ".repeat(side);
  const rows = new Array<string>(Math.max(0, y)).fill(paintLine("", width, paint));
  const body = lines.map((line) => paintLine(margin + line, width, paint));
  return [...rows, ...body, ...rows];
}
