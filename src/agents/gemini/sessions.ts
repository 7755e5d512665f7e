import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AgentFolders } from "../agent.ts";
import { fileStore } from "../sessions/file-store.ts";
import { filesBelow } from "../sessions/found-transcript.ts";
import { namesIn } from "../sessions/list-files.ts";
import { isSafeId } from "../sessions/safe-id.ts";
import { headRecords } from "../transcripts/head-records.ts";
import { parsed, record, text } from "../transcripts/json.ts";
import { messageSpans } from "../transcripts/message-spans.ts";
import { isDocument, transcript } from "./transcript.ts";

const HEAD_BYTES = 4096;
const START_TIME = /"startTime"\s*:\s*"([^"]*)"/;

export const sessions = fileStore({
  agent: "gemini",
  format: transcript,
  dir,
  find(place, sessionId) {
    const folder = dir(place);
    const suffix = new RegExp(`-${escaped(sessionId.slice(0, 8))}\\.jsonl?$`);
    const files = namesIn(folder)
      .filter((name) => suffix.test(name))
      .map((name) => join(folder, name))
      .filter((path) => headerOf(path).sessionId === sessionId);
    // Resuming leaves a file behind that has only a beginning: the session is in the largest.
    return files.sort((a, b) => sizeOf(b) - sizeOf(a))[0];
  },
  place(place, { sessionId, content }) {
    const head = content.subarray(0, HEAD_BYTES);
    const isOld = isDocument(content);
    const startTime = isOld
      ? START_TIME.exec(head.toString("utf8"))?.[1]
      : headRecords(head, 1)[0]?.startTime;
    const started = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.exec(text(startTime) ?? "")?.[0];
    if (started === undefined) return undefined;
    const suffix = isOld ? "json" : "jsonl";
    const name = `session-${started.replace(":", "-")}-${sessionId.slice(0, 8)}.${suffix}`;
    return join(dir(place), name);
  },
  truncate(session, entryId) {
    if (!isDocument(session.content)) return undefined;
    const content = documentUpTo(session.content, (message) => record(message).id === entryId);
    return content && { ...session, content };
  },
  resumeCommand: (sessionId) => ["gemini", "--resume", sessionId],
  async subagents(ref) {
    const parent = text(headerOf(ref).sessionId);
    if (parent === undefined || !isSafeId(parent)) return [];
    const folder = join(dirname(ref), parent);
    return namesIn(folder)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => ({ id: basename(name, ".jsonl"), ref: join(folder, name) }));
  },
  async everywhere(folders) {
    const root = rootOf(folders);
    const { projects } = record(parsed(read(join(root, "projects.json"))));
    const bySlug = new Map(
      Object.entries(record(projects)).map(([project, slug]) => [slug, project] as const),
    );
    const found = (path: string, mark: string, slug: string) => {
      const project = bySlug.get(slug);
      return { ref: path, mark, ...(project !== undefined && { project }) };
    };
    const main = filesBelow(join(root, "tmp"), 3, /chats\/session-.*\.jsonl?$/).map(
      ({ path, mark }) => ({
        ...found(path, mark, basename(dirname(dirname(path)))),
        // Only the beginning of the id is in its name.
        identify: () => text(headerOf(path).sessionId),
      }),
    );
    const children = filesBelow(join(root, "tmp"), 4, /chats\/[^/]+\/[^/]+\.jsonl$/).map(
      ({ path, mark }) => ({
        ...found(path, mark, basename(dirname(dirname(dirname(path))))),
        sessionId: basename(path, ".jsonl"),
        parent: basename(dirname(path)),
      }),
    );
    return [...main, ...children];
  },
});

function rootOf({ home, env }: Pick<AgentFolders, "home" | "env">): string {
  return join(env.GEMINI_CLI_HOME || home, ".gemini");
}

function dir({ project, ...folders }: AgentFolders): string {
  const root = rootOf(folders);
  return join(root, "tmp", slugOf(root, project), "chats");
}

/** Gemini CLI keeps a list of the names it gave to projects. */
function slugOf(root: string, project: string): string {
  const { projects } = record(parsed(read(join(root, "projects.json"))));
  const slug = text(record(projects)[project]);
  return slug !== undefined && isSafeId(slug) ? slug : basename(project).toLowerCase();
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function headerOf(path: string) {
  try {
    const file = openSync(path, "r");
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      const length = readSync(file, head, 0, HEAD_BYTES, 0);
      return record(headRecords(head.subarray(0, length), 1)[0]);
    } finally {
      closeSync(file);
    }
  } catch {
    return record(undefined);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

const escaped = (words: string) => words.replace(/[^A-Za-z0-9]/g, "\\$&");

/**
 * A document up to and with a message, and with all that is not messages. Where a message is written
 * again, its last form is kept. Undefined if there is no such message.
 */
function documentUpTo(content: Buffer, isIt: (message: unknown) => boolean): Buffer | undefined {
  const spans = messageSpans(content);
  if (!spans) return undefined;
  const { start, commas, end } = spans;
  const ends = [...commas, end];
  let begins = start;
  let cut: number | undefined;
  for (const at of ends) {
    // One by one: all of them at once could be more than a string can hold.
    if (isIt(parsed(content.toString("utf8", begins, at)))) cut = at;
    begins = at + 1;
  }
  return cut === undefined
    ? undefined
    : Buffer.concat([content.subarray(0, cut), content.subarray(end)]);
}
