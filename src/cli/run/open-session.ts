import { existsSync, rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { usageError } from "../../errors/index.ts";
import {
  forkSession,
  readSession,
  type SessionPlace,
  SessionStore,
  SessionTree,
  savedSessions,
} from "../../host/index.ts";
import { shownPath } from "../shown-path.ts";

export interface SessionChoice {
  readonly continue?: boolean;
  /** True: which one is asked on the terminal. */
  readonly resume?: string | true;
  readonly fork?: string;
  /** The file or the id of the one to go on with; a file that is not there is begun. */
  readonly session?: string;
  /** The folder sessions are in, instead of Seam's own. */
  readonly sessionDir?: string;
  /** Nothing is kept. */
  readonly noSession?: true;
}

type Warn = (text: string) => void;

/** The session a run works in: a new one, or one that is taken up again. */
export function openSession(cwd: string, choice: SessionChoice, warn: Warn): SessionTree {
  const sessions = sessionPlace(cwd, choice, warn);
  if (!sessions) return new SessionTree({ cwd });
  const store = new SessionStore(choice.sessionDir === undefined ? {} : { dir: choice.sessionDir });
  if (choice.session !== undefined) return namedSession(choice.session, store, sessions);
  if (choice.fork !== undefined) {
    const path = fileOf(store, choice.fork);
    const { session, problems } = readSession(path, { cwd });
    for (const problem of problems) tell(problem, path, warn);
    const leaf = session.getLeafId();
    if (leaf === null) return sessions.create();
    return forkSession(session, leaf, { position: "at", cwd }).session;
  }
  if (typeof choice.resume === "string") return sessions.open(fileOf(store, choice.resume));
  if (!choice.continue) return sessions.create();
  const recent = store.mostRecent(cwd);
  if (recent === undefined) {
    throw usageError(
      "There is no session to continue here yet.",
      "Leave out --continue to start one. Sessions belong to the folder they were started in.",
    );
  }
  return sessions.open(recent);
}

/** A path is where the session is to be, whether it is there yet or not; anything else is an id. */
function namedSession(wanted: string, store: SessionStore, sessions: SessionPlace): SessionTree {
  const isPath = /[/\\]|\.jsonl$/.test(wanted);
  if (!isPath) return sessions.open(store.findById(wanted));
  const file = resolve(wanted);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat && stat.size > 0) return sessions.open(file);
  // Whoever needed a free name made the file.
  if (stat?.isFile()) rmSync(file);
  return sessions.create({ file });
}

function fileOf(store: SessionStore, wanted: string): string {
  return existsSync(wanted) ? resolve(wanted) : store.findById(wanted);
}

/** Where further sessions of the run go. */
export function sessionPlace(
  cwd: string,
  choice: SessionChoice,
  warn: Warn,
): SessionPlace | undefined {
  if (choice.noSession) return undefined;
  return savedSessions({
    cwd,
    ...(choice.sessionDir !== undefined && { dir: resolve(choice.sessionDir) }),
    onProblem: (problem, file) => tell(problem, file, warn),
  });
}

interface Problem {
  readonly message: string;
  readonly line?: number;
}

function tell({ message, line }: Problem, file: string, warn: Warn): void {
  warn(`${shownPath(file)}${line === undefined ? "" : `, line ${line}`}: ${message}`);
}
