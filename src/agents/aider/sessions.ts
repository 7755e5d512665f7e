import { appendFile, readFile } from "node:fs/promises";
import { inWords, SeamError } from "../../errors/index.ts";
import { markOf } from "../sessions/found-transcript.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { truncateLines } from "../sessions/session-text.ts";
import { chatIn, chatRef, historyFile, sessionIdOf } from "./chat-history.ts";
import { transcript } from "./transcript.ts";

/** A session is one chat of a project's history. */
export const sessions: SessionStore = {
  dir: ({ project }) => project,
  file: (place, sessionId) => chatRef(historyFile(place), sessionId),
  async read(place, sessionId) {
    const path = historyFile(place);
    const chat = chatIn(await readFile(path).catch(() => Buffer.alloc(0)), sessionId);
    const ref = chatRef(path, sessionId);
    return chat && { sessionId, agent: "aider", project: place.project, ref, content: chat };
  },
  // The chat is appended, as aider does it: the file has other chats, and aider may be writing to
  // it.
  async write(place, { sessionId, content }) {
    const path = historyFile(place);
    const ref = chatRef(path, sessionId);
    try {
      const history = await readFile(path).catch(() => Buffer.alloc(0));
      if (chatIn(history, sessionId)) return { ref, written: false };
      if (!chatIn(content, sessionId)) throw new Error("it is not a chat of aider");
      const end = content.at(-1) === 0x0a ? "" : "\n";
      await appendFile(path, Buffer.concat([Buffer.from("\n"), content, Buffer.from(end)]));
      return { ref, written: true };
    } catch (error) {
      const details = { path, detail: inWords(error) };
      throw new SeamError("SEAM_SESSION_WRITE", details, { cause: error });
    }
  },
  truncate: (session, entryId) => truncateLines(transcript, session, entryId),
  everywhere: async ({ projects, home, env }) =>
    projects.flatMap((project) => {
      const path = historyFile({ project, home, env });
      const mark = markOf(path);
      return mark === undefined ? [] : [{ ref: path, mark, project }];
    }),
  idInside: sessionIdOf,
  // Aider goes on with the history as a whole.
  resumeCommand: () => ["aider", "--restore-chat-history"],
};
