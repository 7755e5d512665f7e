import type { SummaryDetails } from "./file-ops.ts";

export interface SummaryParts {
  /** Everything before the kept part, or before the turn that is split. */
  history: string;
  /** The first part of the turn that is split. */
  turnPrefix?: string;
  files?: SummaryDetails;
}

const MOST_FILES = 200;
const FILE_LISTS = /\n*<files-(read|changed)>\n[\s\S]*?\n<\/files-\1>/g;

/** One summary out of its parts. The agent that goes on sees it before everything that was kept. */
export function joinSummaries({ history, turnPrefix, files }: SummaryParts): string {
  const parts = [history.trim()];
  if (turnPrefix?.trim()) {
    parts.push(`# The first part of the turn that goes on below\n\n${turnPrefix.trim()}`);
  }
  if (files) {
    parts.push(fileList("read", files.readFiles), fileList("changed", files.modifiedFiles));
  }
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The lists are made anew each time; a model that rewrites them makes mistakes. */
export function withoutFileLists(summary: string): string {
  return summary.replace(FILE_LISTS, "").trim();
}

function fileList(what: "read" | "changed", paths: readonly string[]): string {
  if (paths.length === 0) return "";
  const more = paths.length - MOST_FILES;
  const lines = [...paths.slice(0, MOST_FILES), ...(more > 0 ? [`and ${more} more`] : [])];
  return `<files-${what}>\n${lines.join("\n")}\n</files-${what}>`;
}
