/** Errors of the page and its server. */
export const VIEW_ERRORS = {
  SEAM_VIEW_CLOSED: {
    what: "This browser is not let in: its cookie is missing, too old, or was made for another address.",
    next: "Open the page anew with: seam view",
  },
  SEAM_VIEW_CODE: {
    what: "This address was used already, or is too old.",
    next: "Each address opens the page once. Get another with: seam view",
  },
  SEAM_VIEW_ORIGIN: {
    what: "The request came from elsewhere: {detail}.",
    next: "Open the page with: seam view. For another host name or a proxy, name it in the setting view.hosts.",
  },
  SEAM_VIEW_REQUEST: {
    what: "The page asked for something that cannot be understood: {detail}.",
    next: "Reload the page. If that does not help, the page is of another version: seam view opens the right one.",
  },
  SEAM_VIEW_LARGE: {
    what: "That is too large: more than {bytes} bytes.",
    next: "Send less at once.",
  },
  SEAM_VIEW_FULL: {
    what: "{count} pages are open already.",
    next: "Close some of them, then reload this one.",
  },
  SEAM_VIEW_PORT: {
    what: "Port {port} of this machine is taken: {detail}.",
    next: "Choose another with: seam view --port <number>, or leave --port out.",
  },
  SEAM_VIEW_SESSION: {
    what: "There is no transcript of session {session}.",
    next: "Its agent may have deleted it, or it ran on another machine. seam sync --fetch brings what others recorded.",
  },
  SEAM_VIEW_ENTRY: {
    what: "The transcript has nothing at {key} any more.",
    next: "It was rewritten since. Reload the page.",
  },
  SEAM_VIEW_REPOSITORY: {
    what: "{path} is not a repository that Seam knows.",
    next: "It may have been moved or deleted. To record it: seam enable",
  },
  SEAM_VIEW_REWIND: {
    what: "This preview is no longer good: it was used already, is too old, or files have changed since.",
    next: "Look at the preview again, then rewind.",
  },
  SEAM_VIEW_RUN: {
    what: "The session cannot be resumed from here: {detail}.",
    next: "Copy the command instead. To run it here, install tmux or set view.terminal.",
  },
  SEAM_VIEW_READER: {
    what: "That could not be read: {detail}",
    next: "Try again. seam daemon logs says more.",
  },
} as const;
