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
    what: "The run {run} was started on {origin}, and it names no remote from which this machine could get its repository.",
    next: "Set crew.remote on the machine where runs are started, to a remote that all workers can reach.",
  },
  SEAM_CREW_WORKFLOW: {
    what: 'The workflow "{name}" cannot be run:\n{detail}',
    next: "Look at all of it: seam crew check {name}",
  },
  SEAM_CREW_UNTRUSTED: {
    what: "This project's crew files ask for what only you can allow:\n{detail}",
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
  SEAM_CREW_NO_AGENT: {
    what: 'No agent is named for the task "{task}".',
    next: "Say which agent does what the workflow leaves open: seam crew run … --agent claude-code",
  },
  SEAM_CREW_UNKNOWN: {
    what: 'There is no {what} "{id}".',
    next: "See what there is: seam crew list",
  },
  SEAM_CREW_STATE: {
    what: "This cannot be done: {detail}",
    next: "{hint}",
  },
  SEAM_CREW_WORKER_NAME: {
    what: 'A worker with the name "{name}" is at work already, on {host}.',
    next: "Give this one another name: seam crew worker --name <name>",
  },
} as const;
