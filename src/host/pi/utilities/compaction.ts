import type {
  AgentMessage,
  AssistantMessage,
  CompactionPreparation,
  Model,
  SessionEntry,
  Usage,
} from "../../../events/index.ts";
import type { Host, ModelRequest, ReadonlySessionManager } from "../../../extensions/index.ts";
import { collectFileOps } from "../../compaction/file-ops.ts";
import { findCut } from "../../compaction/find-cut.ts";
import {
  branchSummaryDetails,
  branchSummaryRequest,
  DEFAULT_COMPACTION,
  prepareCompaction,
  shouldCompact,
  summarize,
} from "../../compaction/index.ts";
import { summaryRequest, textOf } from "../../compaction/summary-request.ts";
import { estimateTokens } from "../../compaction/tokens.ts";
import { entryMessage, entryMessages } from "../../session/index.ts";

export { estimateTokens, prepareCompaction, shouldCompact };

export const DEFAULT_COMPACTION_SETTINGS = {
  enabled: DEFAULT_COMPACTION.enabled,
  reserveTokens: DEFAULT_COMPACTION.reserveTokens,
  keepRecentTokens: DEFAULT_COMPACTION.keepRecentTokens,
};

/** How large a context is after an answer. */
export function calculateContextTokens(usage: Usage): number {
  return usage.totalTokens || usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}

/** What the last answer that came about has used. */
export function getLastAssistantUsage(entries: readonly SessionEntry[]): Usage | undefined {
  const last = entries.findLast((entry) => entry.type === "message" && isWhole(entry.message));
  return last?.type === "message" && last.message.role === "assistant"
    ? last.message.usage
    : undefined;
}

function isWhole(message: AgentMessage): boolean {
  if (message.role !== "assistant") return false;
  return message.stopReason !== "aborted" && message.stopReason !== "error";
}

/** Where the turn begins that an entry belongs to; -1 if before the start. */
export function findTurnStartIndex(
  entries: readonly SessionEntry[],
  index: number,
  start: number,
): number {
  for (let at = index; at >= start; at--) {
    const entry = entries[at];
    const role = entry && entryMessage(entry)?.role;
    if (
      role === "user" ||
      role === "bashExecution" ||
      role === "custom" ||
      role === "branchSummary"
    )
      return at;
  }
  return -1;
}

/** Where to cut so that about as much as this is kept. */
export function findCutPoint(
  entries: readonly SessionEntry[],
  start: number,
  end: number,
  keepRecentTokens: number,
) {
  const cut = findCut(entries.slice(start, end), { keepRecentTokens });
  return {
    firstKeptEntryIndex: start + cut.firstKeptIndex,
    turnStartIndex: cut.isSplitTurn ? start + cut.turnStartIndex : -1,
    isSplitTurn: cut.isSplitTurn,
  };
}

/** What is left behind when one goes from a place in the tree to another. */
export function collectEntriesForBranchSummary(
  session: ReadonlySessionManager,
  oldLeafId: string | null,
  targetId: string,
) {
  if (oldLeafId === null) return { entries: [], commonAncestorId: null };
  const old = session.getBranch(oldLeafId);
  const target = new Set(session.getBranch(targetId).map(({ id }) => id));
  const commonAncestorId = old.findLast(({ id }) => target.has(id))?.id ?? null;
  const entries = old.slice(old.findIndex(({ id }) => id === commonAncestorId) + 1);
  return { entries, commonAncestorId };
}

/** The newest messages of a branch that fit into a budget; 0: all. */
export function prepareBranchEntries(entries: readonly SessionEntry[], tokenBudget = 0) {
  const messages: AgentMessage[] = [];
  let totalTokens = 0;
  for (const message of entryMessages(entries).reverse()) {
    // What a tool gave is told by the answer after it.
    if (message.role === "toolResult") continue;
    const tokens = estimateTokens(message);
    if (tokenBudget > 0 && totalTokens + tokens > tokenBudget) break;
    messages.unshift(message);
    totalTokens += tokens;
  }
  return { messages, fileOps: collectFileOps(entries), totalTokens };
}

interface Asking {
  readonly model: Model;
  readonly apiKey?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** Those that ask a model, which is one of the agent the extension runs in. */
export function summaries(host: (method: string) => Host) {
  const answer = async (asking: Asking, request: ModelRequest): Promise<AssistantMessage> => {
    const { model, ...options } = asking;
    const message = await host("generateSummary")
      .modelRegistry.stream(model, request, options)
      .result();
    if (message.stopReason !== "error" && message.stopReason !== "aborted") return message;
    throw new Error(message.errorMessage ?? "The model gave no summary.");
  };
  const textIn = ({ content }: AssistantMessage) =>
    content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const ask = (asking: Asking) => async (request: ModelRequest) =>
    textIn(await answer(asking, request));
  const given = (
    model: Model,
    apiKey?: string,
    headers?: Record<string, string>,
    signal?: AbortSignal,
  ): Asking => ({
    model,
    ...(apiKey !== undefined && { apiKey }),
    ...(headers && { headers }),
    ...(signal && { signal }),
  });

  const generateSummaryWithUsage = async (
    messages: readonly AgentMessage[],
    model: Model,
    _reserveTokens?: number,
    apiKey?: string,
    headers?: Record<string, string>,
    signal?: AbortSignal,
    customInstructions?: string,
    previousSummary = "",
  ) => {
    const options = customInstructions === undefined ? {} : { customInstructions };
    const request = summaryRequest(textOf([...messages]), previousSummary, options);
    const message = await answer(given(model, apiKey, headers, signal), request);
    return { text: textIn(message), usage: message.usage };
  };

  return {
    generateSummaryWithUsage,
    generateSummary: async (...args: Parameters<typeof generateSummaryWithUsage>) =>
      (await generateSummaryWithUsage(...args)).text,
    compact: (
      preparation: CompactionPreparation,
      model: Model,
      apiKey?: string,
      headers?: Record<string, string>,
      customInstructions?: string,
      signal?: AbortSignal,
    ) =>
      summarize(
        preparation,
        ask(given(model, apiKey, headers, signal)),
        customInstructions === undefined ? {} : { customInstructions },
      ),
    generateBranchSummary: async (
      entries: readonly SessionEntry[],
      options: Asking & { customInstructions?: string; replaceInstructions?: boolean },
    ) => {
      const { customInstructions, replaceInstructions, ...asking } = options;
      const request = branchSummaryRequest(entries, {
        ...(customInstructions !== undefined && { customInstructions }),
        ...(replaceInstructions !== undefined && { replaceInstructions }),
      });
      if (!request) return { summary: "No content to summarize" };
      try {
        return { summary: await ask(asking)(request), ...branchSummaryDetails(entries) };
      } catch (thrown) {
        if (options.signal?.aborted) return { aborted: true };
        return { error: thrown instanceof Error ? thrown.message : String(thrown) };
      }
    },
  };
}
