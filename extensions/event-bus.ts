import { randomUUID } from "node:crypto";
import type { ExtensionAPI } from "agentseam";

const ASK = "tool-stats:ask";
const ANSWER = "tool-stats:answer";
const PATIENCE_MS = 1_000;

type Stats = Record<string, number>;

/**
 * Two ends of a conversation over the event bus. One counts tool calls and answers whoever asks;
 * the other asks, and finds the answer to its own question by an id. The ends know each other's
 * channels and nothing else: they could as well be two files by two people.
 *
 * Shows: `pi.events` as request and answer, and a question nobody answers.
 *
 * @example
 * seam run -e extensions/event-bus.ts --mode rpc
 * {"type":"prompt","message":"/tool-stats"}
 */
export default function eventBus(pi: ExtensionAPI) {
  countingEnd(pi);
  askingEnd(pi);
}

function countingEnd(pi: ExtensionAPI): void {
  const stats: Stats = {};
  pi.on("tool_execution_end", ({ toolName }) => {
    stats[toolName] = (stats[toolName] ?? 0) + 1;
  });
  pi.events.on(ASK, (data) => {
    if (hasId(data)) pi.events.emit(ANSWER, { id: data.id, stats: { ...stats } });
  });
}

export function askingEnd(pi: ExtensionAPI): void {
  pi.registerCommand("tool-stats", {
    description: "How often each tool was called in this session",
    handler: async (_args, { ui }) => {
      const stats = await ask(pi);
      if (!stats) return ui.notify("Nobody counts tool calls.", "warning");
      const lines = Object.entries(stats).map(([name, count]) => `${name}: ${count}`);
      ui.notify(lines.length === 0 ? "No tool was called yet." : lines.join("\n"));
    },
  });
}

/** Undefined if there is no answer in time: the other end may not be loaded. */
function ask(pi: ExtensionAPI): Promise<Stats | undefined> {
  const id = randomUUID();
  return new Promise((resolve) => {
    const done = (stats?: Stats) => {
      clearTimeout(timer);
      stop();
      resolve(stats);
    };
    const timer = setTimeout(done, PATIENCE_MS);
    const stop = pi.events.on(ANSWER, (data) => {
      // Others ask too: only the answer with our id is ours.
      if (hasId(data) && data.id === id && isStats(data.stats)) done(data.stats);
    });
    pi.events.emit(ASK, { id });
  });
}

/** What comes over the bus may come from anyone. */
function hasId(data: unknown): data is { id: string; stats?: unknown } {
  return typeof data === "object" && data !== null && "id" in data && typeof data.id === "string";
}

function isStats(value: unknown): value is Stats {
  return typeof value === "object" && value !== null;
}
