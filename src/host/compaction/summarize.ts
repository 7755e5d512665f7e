import type { CompactionPreparation, CompactionResult } from "../../events/index.ts";
import type { ModelRequest } from "../../extensions/index.ts";
import { compactionDetails, type SummaryDetails } from "./file-ops.ts";
import { joinSummaries, withoutFileLists } from "./join-summaries.ts";
import { type SummaryOptions, summaryRequest, turnPrefixRequest } from "./summary-request.ts";

export interface CompactionDetails extends SummaryDetails {
  /** What extensions asked to keep beside the summary. */
  preserveData?: Record<string, unknown>;
}

export interface SummarizeOptions extends SummaryOptions {
  preserveData?: Record<string, unknown>;
}

const NO_FILES = { read: new Set<string>(), written: new Set<string>(), edited: new Set<string>() };

/**
 * Carries out a compaction with a model. `ask` returns the text of the model's answer; two
 * questions are asked at the same time when a turn is split.
 */
export async function summarize(
  preparation: CompactionPreparation,
  ask: (request: ModelRequest) => Promise<string>,
  options: SummarizeOptions = {},
): Promise<CompactionResult<CompactionDetails>> {
  const { messagesToSummarize, previousSummary = "", isSplitTurn } = preparation;
  const [history, turnPrefix] = await Promise.all([
    messagesToSummarize.length > 0
      ? answerTo(summaryRequest(preparation, options), ask)
      : withoutFileLists(previousSummary),
    isSplitTurn ? answerTo(turnPrefixRequest(preparation), ask) : "",
  ]);
  const files = compactionDetails(preparation.fileOps ?? NO_FILES);
  const { preserveData } = options;
  return {
    summary: joinSummaries({ history, turnPrefix, files }),
    firstKeptEntryId: preparation.firstKeptEntryId,
    tokensBefore: preparation.tokensBefore,
    details: { ...files, ...(preserveData && { preserveData }) },
  };
}

/** An empty summary would throw the conversation away. */
async function answerTo(
  request: ModelRequest,
  ask: (request: ModelRequest) => Promise<string>,
): Promise<string> {
  const answer = await ask(request);
  if (answer.trim() === "") throw new Error("The model answered with an empty summary.");
  return answer;
}
