import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { ALL_AGENTS } from "../../agents/index.ts";
import type { SearchAnswer } from "../answer.ts";
import { search } from "../find/search.ts";
import { Indexer, type IndexerOptions } from "../indexing/indexer.ts";
import type { SearchRequest } from "../request.ts";
import { type Database, openToRead } from "../store/database.ts";

/** A user's home with transcripts in it, a Seam folder, and what fills and asks an index there. */
export function searchPlace() {
  const base = mkdtempSync(join(tmpdir(), "seam-search-"));
  const home = join(base, "home");
  const seam = join(base, "seam");
  mkdirSync(seam, { recursive: true });
  const before = process.env.SEAM_HOME;
  process.env.SEAM_HOME = seam;
  onTestFinished(() => {
    if (before === undefined) delete process.env.SEAM_HOME;
    else process.env.SEAM_HOME = before;
  });
  const logged: string[] = [];
  const indexer = (more: Partial<IndexerOptions> = {}) => {
    const made = new Indexer({
      home: seam,
      agents: ALL_AGENTS,
      folders: { home, env: {} },
      log: (_, text) => logged.push(text),
      ...more,
    });
    onTestFinished(() => made.close());
    return made;
  };
  const reading = <T>(work: (database: Database) => T): T => {
    const database = openToRead(seam);
    if (!database) throw new Error("There is no index.");
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  return {
    home,
    seam,
    logged,
    indexer,
    reading,
    write: (path: string, content: string | Buffer) => {
      const file = join(home, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    copy: (from: string, path: string) => {
      const file = join(home, path);
      mkdirSync(dirname(file), { recursive: true });
      cpSync(from, file, { recursive: true });
      return file;
    },
    search: (query: string, more: Partial<SearchRequest> = {}): SearchAnswer =>
      reading((database) => search(database, { query, ...more })),
  };
}

export const CLAUDE = ".claude/projects/-home-dev-app";

/** A line of a transcript of Claude Code with what the user asked. */
export function asked(text: string, more: object = {}): string {
  const line = {
    type: "user",
    uuid: `u-${text.length}`,
    sessionId: "s",
    timestamp: "2026-11-01T10:00:00.000Z",
    cwd: "/home/dev/app",
    message: { role: "user", content: text },
    ...more,
  };
  return `${JSON.stringify(line)}\n`;
}

/** A line with an answer, and what it used. */
export function answered(text: string, message: object = {}, more: object = {}): string {
  const line = {
    type: "assistant",
    uuid: `a-${text.length}`,
    sessionId: "s",
    timestamp: "2026-11-01T10:00:01.000Z",
    cwd: "/home/dev/app",
    message: {
      id: "msg_1",
      role: "assistant",
      model: "claude-sonnet-4-6",
      content: [{ type: "text", text }],
      usage: { input_tokens: 10, output_tokens: 20 },
      ...message,
    },
    ...more,
  };
  return `${JSON.stringify(line)}\n`;
}
