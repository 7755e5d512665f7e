/** Errors of a crew's workers: the agents that do its tasks. */
export const WORKER_ERRORS = {
  SEAM_CREW_AGENT: {
    what: "{agent} cannot be started for a task: {detail}.",
    next: "Install it, or name another agent for the task.",
  },
  SEAM_CREW_ATTEMPT_OVER: {
    what: "This process belongs to {attempt}, an attempt of a crew that is over.",
    next: "Seam's agent runs outside of a crew in a terminal that no crew has opened.",
  },
  SEAM_CREW_TASK_OVER: {
    what: 'The task "{task}" is {state}: nobody would hear this.',
    next: "Say it to a task that still works; crew_status and seam crew status list them.",
  },
  SEAM_CREW_NOT_MEMBER: {
    what: "Nobody knows which crew this is about.",
    next: "Agents of a crew are known by themselves; others name a run: --run <id>.",
  },
  SEAM_CREW_RESULT: {
    what: "The result was not taken: {detail}",
    next: "Hand it over again as the schema wants it.",
  },
  SEAM_CREW_NESTED: {
    what: "An agent of a crew cannot lead a crew.",
    next: "Say in your result what should be done by others.",
  },
  SEAM_CREW_APPROVAL: {
    what: "This question is for a person.",
    next: "A person answers it with seam inbox, in the page, or with seam crew answer.",
  },
} as const;
