/** What can go wrong with crews. */
export const CREW_ERRORS = {
  SEAM_CREW_DATABASE: {
    what: "The database of crews, {place}, cannot be used: {detail}",
    next: "Check crew.database in your settings (seam config), and that the server runs and lets you in. Nothing that was done is lost.",
  },
  SEAM_CREW_FAILED: {
    what: "Crews do not work at the moment: {detail}",
    next: "Look at what happened: seam daemon logs. Runs go on where they were as soon as it works again.",
  },
  SEAM_CREW_NO_REMOTE: {
    what: "The run {run} was started on {origin}, and names no remote from which this machine could fetch its repository.",
    next: "Set crew.remote on the machine where runs are started, to a remote that all workers can reach.",
  },
  SEAM_CREW_REMOTE: {
    what: "Branches could not be exchanged with {remote}: {detail}",
    next: "See whether it can be reached: git ls-remote {remote}",
  },
  SEAM_CREW_BRANCH_TAKEN: {
    what: "Another machine has gone on with {branch}, so what was made here is not put over it.",
    next: "Nothing is lost: what was made here is on that branch of this machine's repository.",
  },
  SEAM_CREW_WORKFLOW: {
    what: 'The workflow "{name}" cannot be run:\n{detail}',
    next: "Those that are there: seam crew workflows. To check one after a change: seam crew check <workflow>",
  },
  SEAM_CREW_BARE: {
    what: "{path} is a repository without files of its own, and a crew begins with a checkout.",
    next: "Clone it, and start the crew in the clone.",
  },
  SEAM_CREW_UNTRUSTED: {
    what: "Files of this project ask for what only you can allow:\n{detail}",
    next: "Look at them, then agree: seam trust",
  },
  SEAM_CREW_CONSENT: {
    what: "Agents of a crew work without their own questions. You have not agreed to this yet:\n{detail}",
    next: "Read it, then run it again with --agree. You are asked once for each agent.",
  },
  SEAM_CREW_POOL_REMOTE: {
    what: 'Tasks can only go to the pool "{pool}" by way of a git remote, and none is named.',
    next: "Set crew.remote in ~/.seam/settings.json to a remote that all workers can reach.",
  },
  SEAM_CREW_GOAL: {
    what: "The run has no goal.",
    next: 'Say what is to be done: seam crew run <workflow> "the goal"',
  },
  SEAM_CREW_REFUSED: {
    what: "An extension does not let this run begin: {reason}",
    next: "See which extensions there are: seam ext list",
  },
  SEAM_CREW_MESSAGE_REFUSED: {
    what: "An extension does not let this message be delivered: {reason}",
    next: "See which extensions there are: seam ext list",
  },
  SEAM_CREW_NO_AGENT: {
    what: 'No agent is named for the task "{task}".',
    next: "Say which agent does what the workflow leaves open: seam crew run … --agent claude-code",
  },
  SEAM_CREW_NONE: {
    what: "There is no run of a crew yet.",
    next: 'Begin one: seam crew run <workflow> "the goal". To see one first: seam crew demo',
  },
  SEAM_CREW_UNKNOWN: {
    what: 'There is no {what} "{id}".',
    next: "See what there is: {where}",
  },
  SEAM_CREW_STATE: {
    what: "This cannot be done: {detail}",
    next: "{hint}",
  },
  SEAM_CREW_WORKER_NAME: {
    what: 'A worker with the name "{name}" is at work already, on {host}.',
    next: "Give this one another name: set crew.name in ~/.seam/settings.json",
  },
} as const;

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
    what: "The work of the tasks that this one depends on cannot be merged: {detail}",
    next: "Merge them first, or let one of them start from the other's result.",
  },
  SEAM_CREW_BRANCH: {
    what: 'There is no branch "{name}" in {path}.',
    next: "See what there is: git branch",
  },
  SEAM_CREW_COMMIT: {
    what: '"{name}" is not a commit of {path}.',
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

/** Errors of a crew's workers: the agents that do its tasks. */
export const WORKER_ERRORS = {
  SEAM_CREW_AGENT: {
    what: "{agent} cannot be started for a task: {detail}.",
    next: "Install it, or name another agent for the task.",
  },
  SEAM_CREW_ATTEMPT_OVER: {
    what: "This process belongs to {attempt}, an attempt of a crew that is over.",
    next: "Use another terminal: there Seam's agent runs outside of the crew.",
  },
  SEAM_CREW_TASK_OVER: {
    what: 'The task "{task}" is {state}: it gets no more messages.',
    next: "Send it to a task that still works; crew_status and seam crew status list them.",
  },
  SEAM_CREW_NOT_MEMBER: {
    what: "This process belongs to no crew, and no run is named.",
    next: "Name the run: --run <id>. Only agents of a crew need not do that.",
  },
  SEAM_CREW_RESULT: {
    what: "The result was not taken: {detail}",
    next: "Return it again in the form that the schema asks for.",
  },
  SEAM_CREW_MEMBER: {
    what: "seam {command} is for people, and an agent of a crew started it.",
    next: "Say in your result what should be decided, or ask: seam crew ask <question>.",
  },
  SEAM_CREW_NESTED: {
    what: "An agent of a crew cannot lead a crew.",
    next: "Say in your result which work others should do.",
  },
  SEAM_CREW_APPROVAL: {
    what: "This question is for a person.",
    next: "A person answers it with seam inbox, in the page, or with seam crew answer.",
  },
} as const;
