/** What can go wrong with the workspaces of a crew and with bringing its work together. */
export const CREW_WORKSPACE_ERRORS = {
  SEAM_CREW_NO_REPO: {
    what: "{path} is not in a git repository, and a crew works in worktrees of one.",
    next: "Go to a repository, or make one: git init && git add . && git commit -m start",
  },
  SEAM_CREW_NO_COMMIT: {
    what: "{path} has no commit yet, so there is nothing a crew could start from.",
    next: "Make the first one: git add . && git commit -m start",
  },
  SEAM_CREW_GIT_OLD: {
    what: "Merging what a crew made needs git 2.38 or newer; this is {version}.",
    next: "Update git. What the tasks made is kept on their branches: git branch --list 'seam/tasks/*'",
  },
  SEAM_CREW_BASE: {
    what: "The work of the tasks before does not fit together: {detail}",
    next: "Merge them first, or let one of them start from the other's result.",
  },
  SEAM_CREW_COMMIT: {
    what: '"{name}" is no commit of {path}.',
    next: "See what there is: git log --oneline --all",
  },
  SEAM_CREW_SETUP: {
    what: "The setup command of a workspace failed ({reason}): {command}",
    next: "Its output is in {file}. Try it in {path}.",
  },
  SEAM_CREW_SLOT: {
    what: "Workspace {path} cannot be used: {detail}",
    next: "Look at what is in it. Nothing was deleted; another workspace is used instead.",
  },
  SEAM_CREW_SLOTS_FULL: {
    what: "All {most} workspaces of this machine are taken.",
    next: "End runs you do not need: seam crew list, then seam crew cancel <run> and seam crew clean",
  },
  SEAM_CREW_TARGET_BUSY: {
    what: "{ref} kept moving while tasks were merged into it.",
    next: "Run it again. What the tasks made is kept on their branches.",
  },
  SEAM_CREW_TARGET_HELD: {
    what: "{branch} is checked out in {path}, and cannot be moved there: {detail}",
    next: "{hint}",
  },
} as const satisfies Record<string, { what: string; next: string }>;
