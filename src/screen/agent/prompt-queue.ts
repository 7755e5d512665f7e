import { textOfContent } from "../../events/index.ts";
import type { EmbeddedAgent } from "../../host/index.ts";
import { keyText, safeText, type Theme, truncateToWidth } from "../../terminal/index.ts";

type Queue = EmbeddedAgent["queue"];

const MOST_SHOWN = 4;

/** The messages that wait for the agent, above the editor. */
export function waitingLines(queue: Queue, width: number, theme: Theme): string[] {
  const waiting = queue.list().filter(({ kind }) => kind !== "nextTurn");
  if (waiting.length === 0) return [];
  const lines = waiting.slice(0, MOST_SHOWN).map(({ kind, message }) => {
    const [first = ""] = safeText(textOfContent(message.content)).split("\n");
    const when = kind === "steer" ? "next" : "then";
    return theme.fg("muted", truncateToWidth(`◌ ${when}: ${first}`, width, "…"));
  });
  const left = waiting.length - MOST_SHOWN;
  const more = left > 0 ? `${left} more wait; ` : "";
  const hint = `${more}${keyText("app.message.dequeue")} takes them back`;
  return ["", ...lines, theme.fg("dim", truncateToWidth(hint, width, "…"))];
}

/** Takes back what the user said and the agent has not heard yet. */
export function takeBack(queue: Queue): string {
  const texts: string[] = [];
  for (const { id, kind, message } of queue.list()) {
    if (kind === "nextTurn" || message.role !== "user" || !queue.cancel(id)) continue;
    texts.push(textOfContent(message.content));
  }
  return texts.join("\n\n");
}
