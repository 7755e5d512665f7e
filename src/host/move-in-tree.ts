import type { BranchSummaryEntry } from "../events/index.ts";
import type { Cancelled, ExtensionCommandContext } from "../extensions/index.ts";
import { askAside } from "./ask-aside.ts";
import { branchSummaryDetails, branchSummaryRequest } from "./compaction/index.ts";
import type { Core } from "./core.ts";
import { commonAncestor, entriesBetween, treePoint } from "./session/index.ts";

export type TreeOptions = NonNullable<Parameters<ExtensionCommandContext["navigateTree"]>[1]>;

export interface Moved extends Cancelled {
  /** What is to be said differently from here. */
  readonly editorText?: string;
}

/** Goes to another entry of the session, with a summary of what is left behind if it is wanted. */
export async function moveInTree(
  core: Core,
  targetId: string,
  options: TreeOptions,
  signal: AbortSignal,
): Promise<Moved> {
  const { emitter, ui } = core;
  const session = core.session.tree;
  const { summarize = false, customInstructions, replaceInstructions, label } = options;
  const oldLeafId = session.getLeafId();
  const entriesToSummarize = entriesBetween(session, oldLeafId, targetId);
  const preparation = {
    targetId,
    oldLeafId,
    commonAncestorId: commonAncestor(session, oldLeafId, targetId),
    entriesToSummarize,
    userWantsSummary: summarize,
    ...(customInstructions !== undefined && { customInstructions }),
    ...(replaceInstructions !== undefined && { replaceInstructions }),
    ...(label !== undefined && { label }),
  };
  const asked = await emitter.emit({ type: "session_before_tree", preparation, signal }, signal);
  if (asked.blocked) return { cancelled: true };
  const wishes = { ...preparation, ...asked.result };
  const own = summarize ? asked.result?.summary : undefined;
  const summary = own ?? (summarize ? await summaryOf(core, wishes, signal) : undefined);

  const { leafId, editorText } = treePoint(session, targetId);
  session.moveTo(leafId);
  let summaryEntry: BranchSummaryEntry | undefined;
  if (summary && oldLeafId !== null) {
    const fromHook = own !== undefined;
    const id = session.appendBranchSummary({ fromId: oldLeafId, ...summary, fromHook });
    summaryEntry = session.getEntry(id) as BranchSummaryEntry;
  }
  if (wishes.label !== undefined) {
    session.appendLabel(summaryEntry?.id ?? targetId, wishes.label);
  }
  core.side.restore();
  await emitter.tell({
    type: "session_tree",
    newLeafId: session.getLeafId(),
    oldLeafId,
    ...(summaryEntry && { summaryEntry, fromExtension: own !== undefined }),
  });
  if (editorText === undefined) return { cancelled: false };
  ui.setEditorText(editorText);
  return { cancelled: false, editorText };
}

async function summaryOf(
  core: Core,
  wishes: Parameters<typeof branchSummaryRequest>[1] & {
    readonly entriesToSummarize: Parameters<typeof branchSummaryRequest>[0];
  },
  signal: AbortSignal,
) {
  const { entriesToSummarize: entries } = wishes;
  const request = branchSummaryRequest(entries, wishes);
  if (!request) return undefined;
  const summary = await askAside(core, request, signal);
  return { summary, details: branchSummaryDetails(entries) };
}
