import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { SeamError } from "../../errors/index.ts";
import {
  forkSession,
  readSession,
  SessionFile,
  type SessionPlace,
  SessionStore,
  SessionTree,
} from "../../host/index.ts";

export interface SessionChoice {
  readonly continue?: boolean;
  readonly resume?: string;
  readonly fork?: string;
  /** --no-session: nothing is kept. */
  readonly session?: boolean;
}

/** The session a run works in: a new one, or one that is taken up again. */
export function openSession(
  cwd: string,
  choice: SessionChoice,
  warn: (text: string) => void,
): SessionTree {
  if (choice.session === false) return new SessionTree({ cwd });
  const store = new SessionStore();
  const open = (path: string) => {
    const { session, problems } = SessionFile.open(path, { cwd });
    for (const { message } of problems) warn(message);
    return session;
  };
  if (choice.fork !== undefined) {
    const { session } = readSession(fileOf(store, choice.fork), { cwd });
    const leaf = session.getLeafId();
    if (leaf === null) return SessionFile.create({ cwd });
    return forkSession(session, leaf, { position: "at", cwd }).session;
  }
  if (choice.resume !== undefined) return open(fileOf(store, choice.resume));
  if (!choice.continue) return SessionFile.create({ cwd });
  const recent = store.mostRecent(cwd);
  if (recent === undefined) {
    throw new SeamError("SEAM_USAGE", { detail: "There is no session to continue here yet." });
  }
  return open(recent);
}

function fileOf(store: SessionStore, wanted: string): string {
  return existsSync(wanted) ? resolve(wanted) : store.findById(wanted);
}

/** Where further sessions of the run go. */
export function sessionPlace(cwd: string, choice: SessionChoice): SessionPlace | undefined {
  if (choice.session === false) return undefined;
  return {
    create: (options = {}) => SessionFile.create({ cwd, ...options }),
    open: (file) => SessionFile.open(file, { cwd }).session,
  };
}
