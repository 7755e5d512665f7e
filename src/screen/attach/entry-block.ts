import { safeText, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "../../terminal/index.ts";
import type { Entry } from "../../view/index.ts";
import { Block } from "../blocks/block.ts";
import { diffLines } from "../blocks/diff-lines.ts";
import { duration } from "../blocks/tool-summary.ts";
import type { Look } from "../look/look.ts";
import { StreamingMarkdown } from "../markdown/streaming-markdown.ts";

const MARKS = { running: "◌", background: "◌", done: "✓", failed: "✗", stopped: "✗" } as const;
const COLORS = {
  running: "warning",
  background: "warning",
  done: "success",
  failed: "error",
  stopped: "error",
} as const;

/** One thing in a session of whichever agent, as the page shows it too. */
export class EntryBlock extends Block {
  #entry: Entry;

  constructor(look: Look, entry: Entry) {
    super(look);
    this.#entry = entry;
    this.hasGap = entry.kind !== "call";
  }

  update(entry: Entry): void {
    this.#entry = entry;
    this.invalidate();
  }

  get isPrompt(): boolean {
    return this.#entry.kind === "prompt";
  }

  protected draw(width: number): readonly string[] {
    const { theme, toolsExpanded } = this.look;
    const entry = this.#entry;
    switch (entry.kind) {
      case "prompt": {
        const lines = wrapTextWithAnsi(shown(entry.body), Math.max(1, width - 2));
        return lines.map((line) => theme.fg("accent", "▌ ") + line);
      }
      case "answer":
        return this.#markdown(shown(entry.body), width);
      case "thinking": {
        const all = wrapTextWithAnsi(shown(entry.body), width);
        const lines = toolsExpanded ? all : all.slice(0, 2);
        return lines.map((line) => theme.italic(theme.fg("thinkingText", line)));
      }
      case "call":
        return [this.#callLine(width), ...this.#callBody(width)];
      case "compaction":
        return [theme.fg("customMessageLabel", "▸ The conversation before this is summed up")];
      case "unknown":
        return [theme.fg("dim", truncateToWidth(`· ${safeText(entry.what)}`, width, "…"))];
    }
  }

  #markdown(text: string, width: number): string[] {
    const markdown = new StreamingMarkdown(this.look.markdown());
    markdown.setText(text);
    return markdown.render(width);
  }

  #callLine(width: number): string {
    if (this.#entry.kind !== "call") return "";
    const { theme } = this.look;
    const { tool, about = "", state, ms = 0, added, removed } = this.#entry.call;
    const change = added === undefined ? "" : `+${added} −${removed ?? 0}`;
    const tail = [change, duration(ms)].filter((text) => text !== "").join("  ");
    const room = Math.max(0, width - visibleWidth(tool) - visibleWidth(tail) - 5);
    const subject = truncateToWidth(safeText(about).replace(/\s+/g, " "), room, "…");
    const mark = theme.fg(COLORS[state], MARKS[state]);
    return `${mark} ${theme.bold(safeText(tool))} ${subject}${theme.fg("dim", tail && `  ${tail}`)}`;
  }

  #callBody(width: number): string[] {
    if (this.#entry.kind !== "call") return [];
    const { theme, toolsExpanded } = this.look;
    const { stop, output, diff } = this.#entry.call;
    const indented = (line: string) => truncateToWidth(`  ${line}`, width, "…");
    const stopped = stop
      ? [theme.fg("error", indented(`${stop.by ? `${stop.by}: ` : ""}${safeText(stop.reason)}`))]
      : [];
    if (!toolsExpanded) return stopped;
    if (diff !== undefined) return [...stopped, ...diffLines(diff, theme).map(indented)];
    const lines = output ? shown(output).split("\n") : [];
    return [...stopped, ...lines.map((line) => theme.fg("toolOutput", indented(line)))];
  }
}

function shown({ text, of }: { readonly text: string; readonly of?: number }): string {
  const rest = of === undefined ? "" : `\n… ${of - text.length} more characters: seam view`;
  return safeText(text) + rest;
}
