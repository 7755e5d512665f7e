import { readFile } from "node:fs/promises";
import { SeamError, systemCode } from "../../errors/index.ts";
import type { AgentFolders } from "../agent.ts";
import type { TranscriptFormat } from "../transcripts/format.ts";
import { isSafeId } from "./safe-id.ts";
import type { AgentSession, SessionStore } from "./session-store.ts";
import { truncateLines } from "./session-text.ts";
import { writeSessionFile } from "./write-session-file.ts";

interface FileStoreParts extends Pick<SessionStore, "dir" | "resumeCommand"> {
  readonly agent: string;
  readonly format: TranscriptFormat;
  /** The file of a session that is there, or of one that has a fixed name. */
  readonly find: (place: AgentFolders, sessionId: string) => string | undefined;
  /** Where a session goes that is not there; by default where it would be found. */
  readonly place?: (place: AgentFolders, session: AgentSession) => string | undefined;
  /** How it is cut after an entry, where it is not lines; undefined: it is lines. */
  readonly truncate?: (session: AgentSession, entryId: string) => AgentSession | undefined;
  readonly subagents?: SessionStore["subagents"];
  readonly totals?: SessionStore["totals"];
  readonly everywhere?: SessionStore["everywhere"];
}

/** Sessions that are one file of lines each. */
export function fileStore(parts: FileStoreParts): SessionStore {
  const { agent, format, find } = parts;
  const file = (place: AgentFolders, sessionId: string) =>
    isSafeId(sessionId) ? find(place, sessionId) : undefined;
  return {
    dir: parts.dir,
    file,
    read: (place, sessionId) =>
      readSessionFile({ sessionId, agent, project: place.project }, file(place, sessionId)),
    async write(place, session) {
      const { sessionId, content } = session;
      const path = isSafeId(sessionId)
        ? (file(place, sessionId) ?? parts.place?.(place, session))
        : undefined;
      // Never where the session itself says: it may come from another machine, or from someone.
      if (path === undefined) {
        const detail = "its place cannot be worked out";
        throw new SeamError("SEAM_SESSION_WRITE", { path: sessionId, detail });
      }
      return writeSessionFile(path, content);
    },
    truncate: (session, entryId) =>
      parts.truncate?.(session, entryId) ?? truncateLines(format, session, entryId),
    resumeCommand: parts.resumeCommand,
    ...(parts.subagents && { subagents: parts.subagents }),
    ...(parts.totals && { totals: parts.totals }),
    ...(parts.everywhere && { everywhere: parts.everywhere }),
  };
}

/** A session that is a file; undefined if it is not there. */
async function readSessionFile(
  session: Omit<AgentSession, "content" | "ref">,
  path: string | undefined,
): Promise<AgentSession | undefined> {
  if (path === undefined) return undefined;
  try {
    return { ...session, ref: path, content: await readFile(path) };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
