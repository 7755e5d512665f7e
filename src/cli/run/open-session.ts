import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { SeamError } from "../../errors/index.ts";
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
  /** --no-session: nothing is kept. */
  readonly session?: boolean;
}

type Warn = (text: string) => void;

/** The session a run works in: a new one, or one that is taken up again. */
export function openSession(cwd: string, choice: SessionChoice, warn: Warn): SessionTree {
  const sessions = sessionPlace(cwd, choice, warn);
  if (!sessions) return new SessionTree({ cwd });
  const store = new SessionStore();
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
    throw new SeamError("SEAM_USAGE", { detail: "There is no session to continue here yet." });
  }
  return sessions.open(recent);
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
  if (choice.session === false) return undefined;
  return savedSessions({ cwd, onProblem: (problem, file) => tell(problem, file, warn) });
}

interface Problem {
  readonly message: string;
  readonly line?: number;
}

function tell({ message, line }: Problem, file: string, warn: Warn): void {
  warn(`${shownPath(file)}${line === undefined ? "" : `, line ${line}`}: ${message}`);
}
