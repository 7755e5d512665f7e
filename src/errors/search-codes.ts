/** What can go wrong with search and its index. */
export const SEARCH_ERRORS = {
  SEAM_INDEX_BUSY: {
    what: "The index of search in {path} is in use by another process: {detail}",
    next: "Try again. If it stays that way, look for a second daemon: seam daemon status",
  },
  SEAM_INDEX_FAILED: {
    what: "The index of search in {path} cannot be used: {detail}",
    next: "Make room or permissions if that is what is missing, or make it anew: seam search --rebuild. No transcript and no checkpoint is touched by that.",
  },
  SEAM_SEARCH_QUERY: {
    what: "This cannot be searched for or added up: {detail}",
    next: "Run: seam search --help, or seam stats --help",
  },
} as const;
