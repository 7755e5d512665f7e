/** What can go wrong with search and its index. */
export const SEARCH_ERRORS = {
  SEAM_INDEX_BUSY: {
    what: "The index of search in {path} is in use by another process: {detail}",
    next: "Try again. If it stays that way, look for a second daemon: seam daemon status",
  },
  SEAM_INDEX_FAILED: {
    what: "The index of search in {path} cannot be used: {detail}",
    next: "If the disk is full or permissions are missing, mend that; else make the index again: seam search --rebuild. That changes no transcript and no checkpoint.",
  },
  SEAM_SEARCH_ENDED: {
    what: "The daemon ended before your sessions were read.",
    next: "Search again: what was read so far is kept, and the next daemon reads the rest.",
  },
  SEAM_SEARCH_QUERY: {
    what: "This cannot be searched for or added up: {detail}",
    next: "{hint}",
  },
} as const;
