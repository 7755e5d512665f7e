export {
  type BranchSummaryOptions,
  branchSummaryDetails,
  branchSummaryRequest,
} from "./branch-summary.ts";
export {
  type CompactionSettings,
  DEFAULT_COMPACTION,
  fitToWindow,
  shouldCompact,
} from "./compaction-settings.ts";
export { entryMessage, entryMessages } from "./entry-message.ts";
export { compactionDetails, type FileOps, type SummaryDetails } from "./file-ops.ts";
export { type Cut, findCut } from "./find-cut.ts";
export { joinSummaries, type SummaryParts } from "./join-summaries.ts";
export { prepareCompaction } from "./prepare-compaction.ts";
export { type CompactionDetails, type SummarizeOptions, summarize } from "./summarize.ts";
export { type SummaryOptions, summaryRequest, turnPrefixRequest } from "./summary-request.ts";
export { contextTokens, estimateTokens } from "./tokens.ts";
