/** What can go wrong when people see sessions and answer what waits. */
export const INBOX_ERRORS = {
  SEAM_INBOX_UNKNOWN: {
    what: "No question {id} waits for an answer.",
    next: "See what waits: seam inbox",
  },
  SEAM_INBOX_ANSWERED: {
    what: "The question {id} is closed already: {what}.",
    next: "See what waits now: seam inbox",
  },
  SEAM_INBOX_CHOICE: {
    what: '"{given}" is no answer to the question {id}.',
    next: "It takes one of these: {choices}",
  },
  SEAM_INBOX_REMEMBER: {
    what: "The answer cannot be remembered for a {kind}: the question is not about one.",
    next: "Answer it for this time only.",
  },
  SEAM_RULE_UNKNOWN: {
    what: "There is no rule {id}.",
    next: "See which there are: seam rules",
  },
  SEAM_RULES_FILE: {
    what: "The rules in {path} cannot be used: {detail}. Until that is mended, people are asked.",
    next: "Mend it: seam rules edit",
  },
  SEAM_SESSION_UNKNOWN: {
    what: 'No session that spoke lately is called "{session}".',
    next: "See which there are: seam hold",
  },
  SEAM_SESSION_SEVERAL: {
    what: 'Several sessions begin with "{session}": {found}.',
    next: "Type more of its id.",
  },
  SEAM_SESSION_ENDED: {
    what: "The session {session} has ended.",
    next: "To go on with it: seam resume {session}",
  },
  SEAM_SESSION_INVALID: {
    what: "{path} named a session that cannot be used: {detail}",
    next: "Give pi.sessions what pi.sessions.list() gave: { agent, session }.",
  },
  SEAM_SESSION_BUSY: {
    what: "The session {session} is open in its own terminal.",
    next: "Go on there, or end it first.",
  },
  SEAM_SESSION_IDLE: {
    what: "The session {session} is not at work: there is nothing to interrupt.",
    next: "seam hold lists the sessions and what each is doing.",
  },
  SEAM_SESSION_CANNOT: {
    what: "{agent} cannot {what}.",
    next: "docs/coverage.md says what each agent lets Seam do.",
  },
} as const;
