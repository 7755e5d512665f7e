import type { Attempt, Run, RunReport, Task } from "../../crew/index.ts";
import { safeText, type ThemeColor, truncateToWidth } from "../../terminal/index.ts";
import { Block } from "../blocks/block.ts";
import type { Look } from "../look/look.ts";

const MARKS: Readonly<Record<Task["state"], readonly [mark: string, color: ThemeColor]>> = {
  queued: ["·", "dim"],
  waiting: ["!", "warning"],
  running: ["◌", "accent"],
  proving: ["◌", "accent"],
  merging: ["◌", "accent"],
  done: ["✓", "success"],
  failed: ["✗", "error"],
  skipped: ["-", "dim"],
  cancelled: ["-", "dim"],
};

export const RUN_MARKS: Readonly<Record<Run["state"], string>> = {
  running: "◌ working",
  waiting: "! needs you",
  done: "✓ done",
  failed: "✗ failed",
  cancelled: "- cancelled",
};

/** A crew's run: its tasks, who does them, and what it asks. */
export class CrewBoard extends Block {
  readonly #typeOf: (agent: string) => string;
  #report: RunReport;

  constructor(look: Look, report: RunReport, typeOf: (agent: string) => string) {
    super(look);
    this.#report = report;
    this.#typeOf = typeOf;
  }

  update(report: RunReport): void {
    this.#report = report;
    this.invalidate();
  }

  /** The question that an answer typed now is for. */
  get asked(): string | undefined {
    return this.#report.questions.find(({ answer }) => answer === undefined)?.id;
  }

  get hint(): string {
    return this.asked === undefined ? "a crew's run" : "enter: answer the crew's question";
  }

  protected draw(width: number): readonly string[] {
    const { theme } = this.look;
    const { run, tasks, questions } = this.#report;
    const cut = (line: string) => truncateToWidth(line, width, "…");
    const wide = Math.max(4, ...tasks.map(({ id }) => id.length));
    const open = questions.filter(({ answer }) => answer === undefined);
    return [
      cut(`${theme.bold(`crew ${run.id}`)}  ${RUN_MARKS[run.state]}  ${oneLine(run.goal)}`),
      ...(run.reason ? [theme.fg("muted", cut(oneLine(run.reason)))] : []),
      "",
      ...tasks.map((task) => cut(this.#taskLine(task, wide))),
      ...open.flatMap(({ id, title }) => [
        "",
        theme.fg("warning", cut(`! ${oneLine(title)}`)),
        theme.fg("dim", cut(`  type the answer here, or: seam crew answer ${id} <answer>`)),
      ]),
    ];
  }

  #taskLine({ id, state, title, reason }: Task, wide: number): string {
    const { theme } = this.look;
    const [mark, color] = MARKS[state];
    const own = this.#report.attempts.filter(({ task }) => task === id);
    const facts = [state, this.#who(own), useOf(own)].filter((text) => text !== "").join(", ");
    const about = oneLine(reason ?? title);
    return `${theme.fg(color, mark)} ${theme.bold(id.padEnd(wide))}  ${facts}  ${theme.fg("dim", about)}`;
  }

  #who(attempts: readonly Attempt[]): string {
    const last = attempts.at(-1);
    if (!last) return "";
    return this.#typeOf(last.agent) + (attempts.length > 1 ? ` ×${attempts.length}` : "");
  }
}

function useOf(attempts: readonly Attempt[]): string {
  const tokens = attempts.reduce((sum, { use }) => sum + use.tokens, 0);
  return tokens > 0 ? `${tokens.toLocaleString("en-US")} tokens` : "";
}

function oneLine(text: string): string {
  return safeText(text).replace(/\s+/g, " ").trim();
}
