import type { Component } from "../component.ts";
import { cellsOf } from "../text/cells.ts";
import { ESC } from "../text/escapes.ts";
import { StyleState } from "../text/style-state.ts";
import { fitLine } from "../text/truncate.ts";
import { visibleWidth } from "../text/width.ts";
import type { OverlayAnchor, OverlayMargin, OverlayOptions, SizeValue } from "../tui.ts";

const USUAL_WIDTH = 80;

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Where an overlay stands, and how large it is. */
export interface OverlayPlace {
  readonly row: number;
  readonly column: number;
  readonly width: number;
  readonly lines: readonly string[];
}

/** Draws an overlay and finds its place. It never reaches over the edge of the terminal. */
export function placeOverlay(
  component: Component,
  options: OverlayOptions,
  { columns, rows }: Size,
): OverlayPlace {
  const margin = margins(options.margin);
  const roomX = Math.max(1, columns - margin.left - margin.right);
  const roomY = Math.max(1, rows - margin.top - margin.bottom);
  const wanted = sizeOf(options.width, columns) ?? Math.min(USUAL_WIDTH, roomX);
  const width = clamp(Math.max(wanted, options.minWidth ?? 1), 1, roomX);
  const height = Math.min(sizeOf(options.maxHeight, rows) ?? roomY, roomY);
  const lines = component.render(width).slice(0, Math.max(1, height));
  const { anchor = "center", offsetX = 0, offsetY = 0 } = options;
  const row =
    positionOf(options.row, roomY - lines.length, margin.top) ??
    anchorRow(anchor, lines.length, roomY, margin.top);
  const column =
    positionOf(options.col, roomX - width, margin.left) ??
    anchorColumn(anchor, width, roomX, margin.left);
  return {
    row: clamp(
      row + offsetY,
      margin.top,
      Math.max(margin.top, rows - margin.bottom - lines.length),
    ),
    column: clamp(
      column + offsetX,
      margin.left,
      Math.max(margin.left, columns - margin.right - width),
    ),
    width,
    lines,
  };
}

/** The rows with an overlay on top of them. */
export function withOverlay(
  rows: readonly string[],
  { row, column, width, lines }: OverlayPlace,
  columns: number,
): string[] {
  const result = [...rows];
  for (const [index, line] of lines.entries()) {
    const under = result[row + index];
    if (under === undefined) continue;
    const before = part(under, 0, column);
    const after = part(under, column + width, columns);
    result[row + index] = `${before}${ESC}[0m${fitLine(line, width)}${ESC}[0m${after}`;
  }
  return result;
}

/** The columns from `start` up to `end`, with the styles that are on there; filled up with spaces. */
function part(line: string, start: number, end: number): string {
  if (end <= start) return "";
  const styles = new StyleState();
  let text = "";
  let at = 0;
  let opened = false;
  for (const cell of cellsOf(line)) {
    if (cell.escape) {
      styles.apply(cell.text);
      if (opened) text += cell.text;
      continue;
    }
    const next = at + cell.width;
    if (at >= start && next <= end) {
      if (!opened) text += styles.open();
      opened = true;
      text += cell.text;
    } else if (next > start && at < end) {
      // Half of a wide character is covered: a space stands for the other half.
      text += " ".repeat(Math.min(next, end) - Math.max(at, start));
      opened = true;
    }
    at = next;
    if (at >= end) break;
  }
  const missing = start === 0 ? Math.max(0, end - visibleWidth(text)) : 0;
  return text + styles.close() + " ".repeat(missing);
}

function margins(margin: OverlayMargin | number | undefined): Required<OverlayMargin> {
  if (typeof margin === "number") {
    const all = Math.max(0, Math.floor(margin));
    return { top: all, right: all, bottom: all, left: all };
  }
  const { top = 0, right = 0, bottom = 0, left = 0 } = margin ?? {};
  return { top, right, bottom, left };
}

function sizeOf(value: SizeValue | undefined, whole: number): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number") return Math.floor(value);
  const share = Number.parseFloat(value);
  return Number.isFinite(share) ? Math.floor((whole * share) / 100) : undefined;
}

/** A number is a place; a share is how far along the free room: "100%" is at the far edge. */
function positionOf(
  value: SizeValue | undefined,
  free: number,
  offset: number,
): number | undefined {
  if (value === undefined || typeof value === "number") return value;
  return offset + (sizeOf(value, Math.max(0, free)) ?? 0);
}

function anchorRow(anchor: OverlayAnchor, height: number, room: number, top: number): number {
  if (anchor.startsWith("top")) return top;
  if (anchor.startsWith("bottom")) return top + room - height;
  return top + Math.floor((room - height) / 2);
}

function anchorColumn(anchor: OverlayAnchor, width: number, room: number, left: number): number {
  if (anchor.endsWith("left") || anchor === "left-center") return left;
  if (anchor.endsWith("right") || anchor === "right-center") return left + room - width;
  return left + Math.floor((room - width) / 2);
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
