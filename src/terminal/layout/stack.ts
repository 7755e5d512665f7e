import type { Component } from "../component.ts";
import { Container } from "../components/container.ts";
import { fitLine } from "../text/truncate.ts";
import { visibleWidth } from "../text/width.ts";

interface EntryOptions {
  readonly basis?: number | "auto";
  readonly grow?: number;
  readonly minSize?: number;
  readonly maxSize?: number;
  readonly visible?: (viewport: { width: number; height: number }) => boolean;
}

interface Entry extends EntryOptions {
  readonly component: Component;
}

interface StackOptions {
  readonly gap?: number;
  readonly align?: "stretch" | "start" | "center" | "end";
}

abstract class Stack extends Container {
  protected readonly entries: Entry[] = [];
  protected readonly gap: number;
  protected readonly align: NonNullable<StackOptions["align"]>;

  constructor(children: readonly (Component | Entry)[] = [], options: StackOptions = {}) {
    super();
    this.gap = options.gap ?? 0;
    this.align = options.align ?? "stretch";
    for (const child of children) {
      if ("component" in child) this.addChild(child.component, child);
      else this.addChild(child);
    }
  }

  override addChild(component: Component, options: EntryOptions = {}): void {
    super.addChild(component);
    this.entries.push({ ...options, component });
  }

  override removeChild(component: Component): void {
    super.removeChild(component);
    const index = this.entries.findIndex((entry) => entry.component === component);
    if (index >= 0) this.entries.splice(index, 1);
  }

  override clear(): void {
    super.clear();
    this.entries.length = 0;
  }

  protected shown(width: number): Entry[] {
    const viewport = { width, height: process.stdout.rows ?? 24 };
    return this.entries.filter(({ visible }) => visible?.(viewport) !== false);
  }
}

/** Draws its children below each other, with room between them if it is wanted. */
export class VStack extends Stack {
  override render(width: number): string[] {
    const between = new Array<string>(this.gap).fill("");
    return this.shown(width).flatMap(({ component }, index) => {
      const lines = component.render(width).map((line) => aligned(line, width, this.align));
      return index === 0 ? lines : [...between, ...lines];
    });
  }
}

/** Draws its children beside each other; what is left of the width goes to those that may grow. */
export class HStack extends Stack {
  override render(width: number): string[] {
    const entries = this.shown(width);
    const sizes = sizesOf(entries, Math.max(0, width - this.gap * Math.max(0, entries.length - 1)));
    const columns = entries.map(({ component }, index) => component.render(sizes[index] ?? 0));
    const height = Math.max(0, ...columns.map((lines) => lines.length));
    return Array.from({ length: height }, (_, row) =>
      columns
        .map((lines, index) =>
          fitLine(lines[offset(row, lines.length, height, this.align)] ?? "", sizes[index] ?? 0),
        )
        .join(" ".repeat(this.gap)),
    );
  }
}

function sizesOf(entries: readonly Entry[], width: number): number[] {
  const bounded = ({ minSize = 0, maxSize = width }: Entry, size: number) =>
    Math.max(minSize, Math.min(maxSize, size));
  const wanted = entries.map((entry) => {
    const { basis = "auto", grow = 0, component } = entry;
    if (basis !== "auto") return bounded(entry, basis);
    if (grow > 0) return bounded(entry, 0);
    return bounded(entry, Math.max(0, ...component.render(width).map(visibleWidth)));
  });
  const growing = entries.reduce((sum, { grow = 0 }) => sum + grow, 0);
  let left = Math.max(0, width - wanted.reduce((sum, size) => sum + size, 0));
  const share = growing > 0 ? left / growing : 0;
  const sizes = wanted.map((size, index) => {
    const more = Math.min(left, Math.round(share * (entries[index]?.grow ?? 0)));
    left -= more;
    return size + more;
  });
  // What does not fit is cut at the end.
  let room = width;
  return sizes.map((size) => {
    const given = Math.min(size, room);
    room -= given;
    return given;
  });
}

function offset(row: number, lines: number, height: number, align: string): number {
  if (align === "center") return row - Math.floor((height - lines) / 2);
  return align === "end" ? row - (height - lines) : row;
}

function aligned(line: string, width: number, align: string): string {
  const free = width - visibleWidth(line);
  if (free <= 0 || align === "stretch" || align === "start") return line;
  return " ".repeat(align === "end" ? free : Math.floor(free / 2)) + line;
}
