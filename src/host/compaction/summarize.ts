import { messageOf } from "../../errors/index.ts";
import type { CompactionPreparation, CompactionResult } from "../../events/index.ts";
import type { ModelRequest } from "../../extensions/index.ts";
import { failureOf } from "../models/index.ts";
import { compactionDetails, type SummaryDetails } from "./file-ops.ts";
import { joinSummaries, withoutFileLists } from "./join-summaries.ts";
import {
  type SummaryOptions,
  summaryRequest,
  textOf,
  turnPrefixRequest,
} from "./summary-request.ts";

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
 * questions are asked at the same time when a turn is split. What is too long even for a summary is
 * summarised part by part.
 */
export async function summarize(
  preparation: CompactionPreparation,
  ask: (request: ModelRequest) => Promise<string>,
  options: SummarizeOptions = {},
): Promise<CompactionResult<CompactionDetails>> {
  const { messagesToSummarize, turnPrefixMessages, previousSummary = "" } = preparation;
  const history = (text: string) =>
    inParts(text, previousSummary, (part, notes) =>
      answerTo(summaryRequest(part, notes, options), ask),
    );
  const prefix = (text: string) =>
    inParts(text, "", async (part, before) => {
      const answer = await answerTo(turnPrefixRequest(part), ask);
      return before === "" ? answer : `${before}\n\n${answer}`;
    });
  const [notes, turnPrefix] = await Promise.all([
    messagesToSummarize.length > 0
      ? history(textOf(messagesToSummarize))
      : withoutFileLists(previousSummary),
    preparation.isSplitTurn ? prefix(textOf(turnPrefixMessages)) : "",
  ]);
  const files = compactionDetails(preparation.fileOps ?? NO_FILES);
  const { preserveData } = options;
  return {
    summary: joinSummaries({ history: notes, turnPrefix, files }),
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

/** Shorter than this, a text is not what made a request too long. */
const SHORTEST = 1_000;

/**
 * Goes through a text with a model: as a whole or, if the provider says that this is too long, one
 * half after the other. `before` is what came out of the part before.
 */
async function inParts(
  text: string,
  before: string,
  ask: (part: string, before: string) => Promise<string>,
): Promise<string> {
  try {
    return await ask(text, before);
  } catch (thrown) {
    if (text.length < SHORTEST || !isOverflow(thrown)) throw thrown;
  }
  const middle = middleOf(text);
  const first = await inParts(text.slice(0, middle), before, ask);
  return inParts(text.slice(middle), first, ask);
}

function isOverflow(thrown: unknown): boolean {
  const failed = { stopReason: "error", errorMessage: messageOf(thrown) } as const;
  return failureOf(failed)?.kind === "overflow";
}

/** Between two messages if there is such a place about there, never inside of a character. */
function middleOf(text: string): number {
  const half = Math.floor(text.length / 2);
  const gap = text.lastIndexOf("\n\n", half);
  if (gap > text.length / 4) return gap + 2;
  const isInside = /[\udc00-\udfff]/.test(text.charAt(half));
  return isInside ? half - 1 : half;
}
