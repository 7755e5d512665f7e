import type { AgentMessage, SessionEntry } from "../../events/index.ts";
import { entryMessage } from "../session/index.ts";
import type { CompactionSettings } from "./compaction-settings.ts";
import { estimateTokens } from "./tokens.ts";
import { toolCallsOf } from "./tool-calls-of.ts";

export interface Cut {
  /** The first entry that is kept. 0: everything is. */
  firstKeptIndex: number;
  /** The cut runs through a turn that is too long to be kept whole. */
  isSplitTurn: boolean;
  /** Where that turn begins; otherwise the same as `firstKeptIndex`. */
  turnStartIndex: number;
}

type Messages = readonly (AgentMessage | undefined)[];

/**
 * Where to cut a conversation so that at least `keepRecentTokens` of its end are kept, and not much
 * more. Entries that are not messages go with the message after them: a model chosen before a
 * prompt belongs to that prompt.
 */
export function findCut(
  entries: readonly SessionEntry[],
  settings: Pick<CompactionSettings, "keepRecentTokens">,
): Cut {
  const messages = entries.map(entryMessage);
  const cut = lastCutUpTo(enoughFrom(messages, settings.keepRecentTokens), messages);
  if (cut <= 0) return { firstKeptIndex: 0, isSplitTurn: false, turnStartIndex: 0 };

  let firstKeptIndex = cut;
  while (firstKeptIndex > 0 && isAside(entries[firstKeptIndex - 1], messages[firstKeptIndex - 1])) {
    firstKeptIndex--;
  }
  const turnStart = messages.slice(0, cut + 1).findLastIndex(startsTurn);
  // No start: the turn began in a part that is summarised already.
  const isSplitTurn = turnStart !== -1 && turnStart !== cut;
  return { firstKeptIndex, isSplitTurn, turnStartIndex: isSplitTurn ? turnStart : firstKeptIndex };
}

/** The latest place with enough tokens from it to the end; -1 if there are fewer in all. */
function enoughFrom(messages: Messages, keepRecentTokens: number): number {
  let tokens = 0;
  return messages.findLastIndex((message) => {
    if (!message) return false;
    tokens += estimateTokens(message);
    return tokens >= keepRecentTokens;
  });
}

/** Going back rather than forward: it costs some tokens and never drops what was to be kept. */
function lastCutUpTo(end: number, messages: Messages): number {
  const torn = insideToolCalls(messages);
  return messages
    .slice(0, end + 1)
    .findLastIndex(
      (message, index) => message && message.role !== "toolResult" && !torn.has(index),
    );
}

/** Places after a tool call and not after its result: a cut there would leave a result on its own. */
function insideToolCalls(messages: Messages): ReadonlySet<number> {
  const callAt = new Map<string, number>();
  const callOf = messages.map((message, index) => {
    if (message?.role === "toolResult") return callAt.get(message.toolCallId) ?? index;
    for (const { id } of toolCallsOf(message)) callAt.set(id, index);
    return index;
  });
  const inside = new Set<number>();
  let earliest = Number.POSITIVE_INFINITY;
  for (let index = messages.length - 1; index >= 0; index--) {
    earliest = Math.min(earliest, callOf[index] ?? index);
    if (earliest < index) inside.add(index);
  }
  return inside;
}

function isAside(entry: SessionEntry | undefined, message: AgentMessage | undefined): boolean {
  return !message && entry?.type !== "compaction";
}

const TURN_STARTS: ReadonlySet<string> = new Set([
  "user",
  "custom",
  "bashExecution",
  "branchSummary",
]);

function startsTurn(message: AgentMessage | undefined): boolean {
  return message !== undefined && TURN_STARTS.has(message.role);
}
