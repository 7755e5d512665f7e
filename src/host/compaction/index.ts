export { branchSummaryDetails, branchSummaryRequest } from "./branch-summary.ts";
export {
  type CompactionSettings,
  DEFAULT_COMPACTION,
  fitToWindow,
  shouldCompact,
} from "./compaction-settings.ts";
export { prepareAfterOverflow } from "./prepare-after-overflow.ts";
export { prepareCompaction } from "./prepare-compaction.ts";
export { summarize } from "./summarize.ts";
export { contextTokens } from "./tokens.ts";
