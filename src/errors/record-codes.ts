/** What can go wrong with the record of a repository. */
export const RECORD_ERRORS = {
  SEAM_STORE_NEWER: {
    what: "{store} in {path} was written by a newer Seam: it has version {version}, and this Seam knows {known}.",
    next: "Use the newer Seam. This one leaves it as it is and records nothing there.",
  },
  SEAM_RECORD_BUSY: {
    what: "{ref} could not be written: other programs write it all the time.",
    next: "Try again. Nothing that was recorded before is lost.",
  },
  SEAM_RECORD_TRANSCRIPT: {
    what: "The transcript {path} is not a file.",
    next: "Find out what replaced it. What was recorded before is kept.",
  },
  SEAM_SESSION_FOREIGN: {
    what: "A session cannot be given back to {agent}: {detail}",
    next: "{hint}",
  },
  SEAM_RECORD_OFF: {
    what: "Nothing is recorded in {path}: the record is not switched on.",
    next: "Switch it on with: seam enable. What others recorded is fetched with: seam sync --fetch",
  },
  SEAM_RECORD_NO_REPO: {
    what: "{path} is not in a git repository.",
    next: "Go to a repository, or make one: git init",
  },
  SEAM_RECORD_NOT_FOUND: {
    what: 'There is no commit, checkpoint, session, turn or branch "{name}" here.',
    next: "What there is: seam log",
  },
  SEAM_RECORD_NO_CHECKPOINT: {
    what: "No agent's work is recorded for commit {commit}.",
    next: "Commits with recorded work: seam log --checkpoints",
  },
  SEAM_RECORD_ELSEWHERE: {
    what: "Commit {commit} names checkpoint {checkpoint}, which is not here or cannot be read.",
    next: "Fetch what others recorded: seam sync --fetch",
  },
  SEAM_RECORD_FORGOTTEN: {
    what: "Commit {commit} names checkpoint {checkpoint}, which was deleted here with seam forget.",
    next: "Nothing of it is left here. What is still recorded: seam log",
  },
  SEAM_RECORD_DAMAGED: {
    what: "No checkpoint can be read: {ref} is damaged ({detail}).",
    next: "Commits it may have been at: git fsck --unreachable --no-reflogs. Delete .git/{ref}, then put one back (git update-ref {ref} <commit>) or fetch what a remote has (seam sync --fetch).",
  },
  SEAM_RECORD_MISLED: {
    what: "{ref} does not lead to checkpoints: {detail}. They are read from {commit}.",
    next: "There is nothing to do: the next checkpoint repairs it.",
  },
  SEAM_RECORD_NO_SESSION: {
    what: 'No session "{name}" is recorded here.',
    next: "Which are: seam log",
  },
  SEAM_RECORD_AMBIGUOUS: {
    what: 'Several ids start with "{name}":{list}',
    next: "Give more of the id.",
  },
  SEAM_FORGET_ACTIVE: {
    what: "Session {session} is in the middle of a turn.",
    next: "Let it finish, or end its agent, then run the command again.",
  },
  SEAM_FORGET_SHORT: {
    what: '"{name}" is too short to name a session that is to be deleted.',
    next: "Give its id, or at least the first {least} characters of it: seam log",
  },
  SEAM_FORGET_FAILED: {
    what: "Session {session} could not be deleted: {detail}",
    next: "Run the command again: it goes on with what is left. More is in: seam daemon logs",
  },
  SEAM_REWIND_NOT_FOUND: {
    what: 'There is no turn, checkpoint or commit "{name}" to go back to.',
    next: "Turns and checkpoints: seam log. Any commit will do as well: git log",
  },
  SEAM_REWIND_MOMENT: {
    what: "It is not possible to go back to the {moment} of turn {turn}: {detail}.",
    next: "Choose another turn: seam log --turns",
  },
  SEAM_REWIND_NO_STATE: {
    what: "The files of {name} are not in this repository.",
    next: "Fetch the commit it belongs to, or choose another state: seam log",
  },
  SEAM_REWIND_CLEANED: {
    what: "The files of turn {turn} were removed by `seam clean`.",
    next: "What happened in it is still there: seam show {turn}. Choose another state: seam log",
  },
  SEAM_REWIND_BARE: {
    what: "{path} has no working tree, so there is nothing to rewind.",
    next: "Change to one of its worktrees.",
  },
  SEAM_REWIND_BUSY: {
    what: "A {operation} is in progress in this worktree.",
    next: "Finish it, or abort it: git {operation} --abort",
  },
  SEAM_REWIND_MOVED: {
    what: "Files changed while you were looking at what a rewind would do. Nothing was changed.",
    next: "Run the command again.",
  },
  SEAM_REWIND_OTHERS: {
    what: "The rewind would also undo work of others, which needs --force:{list}",
    next: "Look at it with --dry-run --diff. To undo that as well: --force",
  },
  SEAM_REWIND_WRITE: {
    what: "{path} cannot be written: {detail}.",
    next: "Move it away and run: seam rewind",
  },
  SEAM_REWIND_BROKEN_OFF: {
    what: "The rewind could not be completed: {detail}",
    next: "The state before is saved. Remove the cause, then complete it with `seam rewind` or go back with `seam rewind --undo`.",
  },
  SEAM_REWIND_NOTHING: {
    what: "No turn is recorded to go back to.",
    next: "Switch the record on with `seam enable`, or name a commit: seam rewind <commit>",
  },
  SEAM_REWIND_NO_UNDO: {
    what: "There is no rewind of this worktree to undo.",
    next: "States that were saved: git for-each-ref refs/seam/rewind",
  },
  SEAM_EXCLUDE: {
    what: "Seam's files cannot be kept out of commits by {path}: {detail}.",
    next: "Put the right lines into another ignore file, for instance .gitignore, or use `seam enable --level user`.",
  },
  SEAM_RESUME_BRANCH: {
    what: "No session is recorded on {branch}, with or without a commit.",
    next: "Sessions of other branches: seam log. What others recorded is fetched with: seam sync --fetch",
  },
  SEAM_RESUME_AGENT: {
    what: "The session belongs to an agent that Seam does not know: {agent}.",
    next: "Read it with: seam show <session> --transcript",
  },
  SEAM_RESUME_BARE: {
    what: "{path} has no working tree in which an agent could work.",
    next: "Change to one of its worktrees.",
  },
  SEAM_RESUME_TRANSCRIPT: {
    what: "Checkpoint {checkpoint} has no transcript of the session.",
    next: "Choose another checkpoint of it: seam log --checkpoints",
  },
  SEAM_RECORD_GUEST: {
    what: "Session {session} was only a guest here. It got its prompt in {home}, and its transcript is there.",
    next: "Run the command again in {home}.",
  },
  SEAM_RESUME_RUN: {
    what: "{program} could not be started.",
    next: "Install {agent}, or make sure that {program} is on the PATH. The session is already in place for it.",
  },
  SEAM_IMPORT_NOTHING: {
    what: "{path} has nothing that Entire recorded.",
    next: "Fetch it first: git fetch origin 'refs/entire/*:refs/entire/*', or its branch: git fetch origin entire/checkpoints/v1",
  },
  SEAM_SYNC_REMOTE: {
    what: 'This repository has no remote "{remote}", and "{remote}" is not a URL.',
    next: "Run: seam sync <remote or URL>, or set checkpointRemote. To list the remotes, run: git remote -v",
  },
  SEAM_SYNC_FETCH: {
    what: "Checkpoints could not be fetched from {remote}: {detail}",
    next: "Check whether `git ls-remote` can reach it. Nothing was changed.",
  },
  SEAM_SYNC_PUSH: {
    what: "Checkpoints could not be sent to {remote}: {detail}",
    next: "Check whether you may push refs/seam/* there, or use another remote: seam sync <URL>",
  },
  SEAM_SYNC_RACE: {
    what: "Others kept sending checkpoints to {remote} at the same time.",
    next: "Run the command again. What came from there is kept.",
  },
} as const satisfies Record<string, { what: string; next: string }>;
