import { join } from "node:path";
import type { AgentFolders } from "../agent.ts";
import { markOf } from "../sessions/found-transcript.ts";
import { isSafeId } from "../sessions/safe-id.ts";
import type { AgentSession, SessionStore } from "../sessions/session-store.ts";
import { allSessions, childrenOf, databaseRef, parseRef, withDatabase } from "./database.ts";
import { readExport, writeExport } from "./export.ts";
import { importSession } from "./import.ts";
import { transcript } from "./transcript.ts";

export const sessions: SessionStore = {
  dir,
  file,
  async read(place, sessionId) {
    const ref = file(place, sessionId);
    if (ref === undefined) return undefined;
    const content = await transcript.read(ref).catch(() => undefined);
    const { project } = place;
    return content && { sessionId, agent: "opencode", project, ref, content };
  },
  async write(place, session) {
    const path = join(dir(place), "opencode.db");
    const ref = databaseRef(path, session.sessionId);
    return { ref, written: await importSession(place, path, session) };
  },
  truncate(session: AgentSession, entryId: string) {
    const exported = readExport(session.content);
    const at = exported?.messages.findIndex(({ info }) => info.id === entryId) ?? -1;
    if (!exported || at === -1) return undefined;
    const messages = exported.messages.slice(0, at + 1);
    return { ...session, content: writeExport({ ...exported, messages }) };
  },
  resumeCommand: (sessionId) => ["opencode", "--session", sessionId],
  async subagents(ref) {
    const at = parseRef(ref);
    if (!at) return [];
    const ids = await withDatabase(at.path, (query) => childrenOf(query, at.sessionId)).catch(
      () => [],
    );
    return ids.map((id) => ({ id, ref: databaseRef(at.path, id) }));
  },
  async everywhere(folders) {
    const path = join(dir(folders), "opencode.db");
    if (markOf(path) === undefined) return [];
    const rows = await withDatabase(path, allSessions).catch(() => []);
    return rows.map(({ id, directory, parent, mark }) => ({
      ref: databaseRef(path, id),
      mark,
      sessionId: id,
      ...(directory !== undefined && { project: directory }),
      ...(parent !== undefined && { parent }),
    }));
  },
};

/** All projects share one database. */
function dir({ home, env }: Pick<AgentFolders, "home" | "env">): string {
  return join(env.XDG_DATA_HOME || join(home, ".local", "share"), "opencode");
}

function file(place: AgentFolders, sessionId: string): string | undefined {
  const isOurs = isSafeId(sessionId) && sessionId.startsWith("ses_");
  return isOurs ? databaseRef(join(dir(place), "opencode.db"), sessionId) : undefined;
}
