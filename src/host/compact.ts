import { messageOf } from "../errors/index.ts";
import type {
  AgentMessage,
  CompactionEntry,
  CompactionPreparation,
  CompactionResult,
} from "../events/index.ts";
import { abortable } from "./abortable.ts";
import { askAside } from "./ask-aside.ts";
import {
  contextTokens,
  fitToWindow,
  prepareAfterOverflow,
  prepareCompaction,
  shouldCompact,
  summarize,
} from "./compaction/index.ts";
import type { Core } from "./core.ts";

export type CompactReason = "manual" | "threshold" | "overflow" | "idle" | "incomplete";

export interface CompactOutcome {
  readonly result?: CompactionResult;
  readonly fromExtension?: boolean;
  readonly aborted?: boolean;
  readonly skipped?: boolean;
  readonly error?: string;
}

/** How full the context is. */
export function tokensInContext(core: Core): number {
  return contextTokens(core.session.tree.buildContext().messages);
}

/** How much fits into the context of the model; of a virtual one, of the model that answered last. */
export function windowOf({ session, models }: Core): number {
  const { model, tree } = session;
  if (!model) return 0;
  const last = models.router(model) ? tree.buildContext().model : undefined;
  const real = last && models.find(last.provider, last.modelId);
  return real?.contextWindow || model.contextWindow;
}

/** Whether the conversation has grown too long for the model. */
export function isTooLong(
  core: Core,
  messages: readonly AgentMessage[] = core.session.tree.buildContext().messages,
): boolean {
  const window = windowOf(core);
  return shouldCompact(contextTokens(messages), window, core.behaviour.compaction);
}

/** Compacts without being asked, and says so. True if it came about. */
export async function autoCompact(
  core: Core,
  reason: Exclude<CompactReason, "manual">,
  willRetry: boolean,
  { signal, tries = 0 }: { signal?: AbortSignal; tries?: number } = {},
): Promise<boolean> {
  const { emitter } = core;
  const action = "context-full" as const;
  emitter.emit({ type: "auto_compaction_start", reason, action });
  const outcome = await compact(core, reason, { willRetry, tries, ...(signal && { signal }) });
  emitter.emit({
    type: "auto_compaction_end",
    action,
    ...(outcome.result && { result: outcome.result }),
    aborted: outcome.aborted === true,
    willRetry: willRetry && outcome.result !== undefined,
    ...(outcome.error !== undefined && { errorMessage: outcome.error }),
    ...(outcome.skipped && { skipped: true }),
  });
  return outcome.result !== undefined;
}

interface CompactOptions {
  readonly customInstructions?: string;
  readonly willRetry?: boolean;
  readonly signal?: AbortSignal;
  /** How often room was made already for the same answer. */
  readonly tries?: number;
}

/** Replaces the older part of the conversation by a summary; the session keeps the original. */
export async function compact(
  core: Core,
  reason: CompactReason,
  options: CompactOptions = {},
): Promise<CompactOutcome> {
  const { emitter } = core;
  const session = core.session.tree;
  if (core.run.compacting) return { skipped: true, error: "A compaction is under way already." };
  const preparation = prepare(core, reason, options.tries);
  if (!preparation) return { skipped: true, error: "There is nothing to compact yet." };
  const controller = new AbortController();
  core.run.compacting = controller;
  const { signal } = controller;
  const both = options.signal ? AbortSignal.any([signal, options.signal]) : signal;
  try {
    const outcome = await abortable(carryOut(core, preparation, reason, options, both), both);
    if (!outcome.result) return failed(core, reason, outcome, options.willRetry);
    const id = session.appendCompaction(outcome.result, outcome.fromExtension === true);
    const compactionEntry = session.getEntry(id) as CompactionEntry;
    const fromExtension = outcome.fromExtension === true;
    const { willRetry = false } = options;
    emitter.emit({ type: "session_compact", compactionEntry, fromExtension, reason, willRetry });
    return outcome;
  } catch (thrown) {
    const outcome = { error: messageOf(thrown), aborted: both.aborted };
    return failed(core, reason, outcome, options.willRetry);
  } finally {
    if (core.run.compacting === controller) core.run.compacting = undefined;
  }
}

function prepare(
  { session: { tree, model }, behaviour }: Core,
  reason: CompactReason,
  tries = 0,
): CompactionPreparation | undefined {
  const contextWindow = model?.contextWindow ?? 0;
  const settings = fitToWindow(behaviour.compaction, contextWindow);
  const branch = tree.getBranch();
  if (reason !== "overflow") return prepareCompaction(branch, settings);
  return prepareAfterOverflow(branch, settings, { contextWindow, tries });
}

function failed(
  core: Core,
  reason: string,
  outcome: CompactOutcome,
  willRetry = false,
): CompactOutcome {
  core.emitter.emit({
    type: "session_compact_failed",
    reason,
    ...(outcome.error !== undefined && { errorMessage: outcome.error }),
    aborted: outcome.aborted === true,
    willRetry,
    fromExtension: outcome.fromExtension === true,
  });
  return outcome;
}

async function carryOut(
  core: Core,
  preparation: CompactionPreparation,
  reason: CompactReason,
  { customInstructions, willRetry = false }: CompactOptions,
  signal: AbortSignal,
): Promise<CompactOutcome> {
  const { emitter } = core;
  const session = core.session.tree;
  const instructions = customInstructions === undefined ? {} : { customInstructions };
  const asked = await emitter.emit(
    {
      type: "session_before_compact",
      preparation,
      branchEntries: session.getBranch(),
      ...instructions,
      signal,
      reason,
      willRetry,
    },
    signal,
  );
  if (asked.blocked) return { aborted: true, error: asked.reason ?? "Cancelled." };
  const own = asked.result?.compaction;
  if (own) return { result: own, fromExtension: true };

  const { event } = await emitter.emit(
    {
      type: "session.compacting",
      sessionId: session.getSessionId(),
      messages: preparation.messagesToSummarize,
    },
    signal,
  );
  const { context, prompt, preserveData } = event;
  const result = await summarize(preparation, (request) => askAside(core, request, signal), {
    ...instructions,
    ...(context && { context }),
    ...(prompt !== undefined && { prompt }),
    ...(preserveData && { preserveData }),
  });
  return { result };
}
