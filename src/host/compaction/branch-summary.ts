import type { SessionEntry } from "../../events/index.ts";
import type { ModelRequest } from "../../extensions/index.ts";
import { entryMessages } from "../session/index.ts";
import { collectFileOps, compactionDetails, type SummaryDetails } from "./file-ops.ts";
import { withoutFileLists } from "./join-summaries.ts";
import { liveEntries } from "./live-entries.ts";
import { BRANCH_SUMMARY_PROMPT } from "./summary-prompts.ts";
import { focus, requestOf, tagged, textOf } from "./summary-request.ts";

export interface BranchSummaryOptions {
  customInstructions?: string;
  /** The custom instructions are the whole prompt instead of an addition to it. */
  replaceInstructions?: boolean;
}

/** Asks for the summary of a branch that is being left. Undefined if nothing was said on it. */
export function branchSummaryRequest(
  entries: readonly SessionEntry[],
  { customInstructions, replaceInstructions = false }: BranchSummaryOptions = {},
): ModelRequest | undefined {
  const { entries: live, previous } = liveEntries(entries);
  const messages = entryMessages(live);
  if (messages.length === 0 && !previous) return undefined;
  const replaced = replaceInstructions ? customInstructions?.trim() : undefined;
  return requestOf([
    previous ? tagged("earlier-notes", withoutFileLists(previous.summary)) : "",
    messages.length > 0 ? tagged("conversation", textOf(messages)) : "",
    replaced || BRANCH_SUMMARY_PROMPT,
    replaced ? "" : focus(customInstructions),
  ]);
}

/** The files that were read and changed on the branch, for the summary's `details`. */
export function branchSummaryDetails(entries: readonly SessionEntry[]): SummaryDetails {
  return compactionDetails(collectFileOps(entries));
}
