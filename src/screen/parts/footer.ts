import { homedir } from "node:os";
import { safeText, type Theme, truncateToWidth, visibleWidth } from "../../terminal/index.ts";

/** What the last lines of the screen tell. */
export interface FooterFacts {
  readonly cwd: string;
  readonly branch: string | null;
  readonly session: string | undefined;
  readonly model: string | undefined;
  readonly thinking: string;
  readonly context: { readonly percent: number | null; readonly contextWindow: number } | undefined;
  readonly tokens: { readonly input: number; readonly output: number; readonly cost: number };
  readonly statuses: ReadonlyMap<string, string>;
}

/** Where one is and with whom: folder, branch, session on the left; model, context, cost on the right. */
export function footerLines(facts: FooterFacts, width: number, theme: Theme): string[] {
  const { cwd, branch, session, model, thinking } = facts;
  const home = homedir();
  const folder = cwd === home || cwd.startsWith(`${home}/`) ? `~${cwd.slice(home.length)}` : cwd;
  const place = [
    safeText(folder) + (branch === null ? "" : ` (${safeText(branch)})`),
    ...(session === undefined ? [] : [safeText(session)]),
  ].join(" · ");
  const level = thinking === "off" ? "" : ` · ${thinking}`;
  const who = model === undefined ? "no model" : safeText(model) + level;
  const used = usageText(facts);
  const statuses = [...facts.statuses]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([, text]) => text.replace(/[\r\n\t]+/g, " "))
    .join(" ");
  return [
    theme.fg("dim", sides(place, who, width)),
    theme.fg("dim", sides(used, "", width)),
    ...(statuses === "" ? [] : [truncateToWidth(statuses, width, theme.fg("dim", "…"))]),
  ];
}

function usageText({ tokens, context }: FooterFacts): string {
  const { input, output, cost } = tokens;
  return [
    `↑${shortCount(input)} ↓${shortCount(output)}`,
    ...(cost > 0 ? [`$${cost.toFixed(3)}`] : []),
    ...(context
      ? [
          `context ${context.percent === null ? "?" : context.percent.toFixed(1)}% of ${shortCount(context.contextWindow)}`,
        ]
      : []),
  ].join("  ");
}

/** One text at each end of a line; the right one gives way last, since it is short. */
function sides(left: string, right: string, width: number): string {
  const end = truncateToWidth(right, width, "…");
  const room = width - visibleWidth(end) - (end === "" ? 0 : 2);
  if (room <= 0) return end;
  const start = truncateToWidth(left, room, "…");
  const gap = width - visibleWidth(start) - visibleWidth(end);
  return end === "" ? start : start + " ".repeat(Math.max(0, gap)) + end;
}

function shortCount(value: number): string {
  if (value < 1000) return String(value);
  if (value < 1_000_000) return `${(value / 1000).toFixed(value < 10_000 ? 1 : 0)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}
