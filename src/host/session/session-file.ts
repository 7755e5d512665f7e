import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SessionEntry } from "../../events/index.ts";
import { EntryIndex } from "./entry-index.ts";
import { type FileIO, fileIO } from "./file-io.ts";
import { moveTornEnd } from "./repair.ts";
import { readError, writeError } from "./session-error.ts";
import { lockSession, unlockSession } from "./session-lock.ts";
import { sessionDir, sessionFileName } from "./session-path.ts";
import type { SessionProblem } from "./session-problem.ts";
import { readContent, type SessionContent } from "./session-reader.ts";
import { newHeader, SessionTree, type SessionTreeOptions } from "./session-tree.ts";
import { SessionWriter, type WriterOptions } from "./session-writer.ts";

interface FileOptions {
  /** Whether every entry has to survive a power failure, not only the end of the process. */
  readonly durable?: boolean;
  readonly io?: FileIO;
}

export interface CreateSessionOptions extends FileOptions {
  readonly cwd: string;
  /** The folder the file is in; without it the one of the project in Seam's home. */
  readonly dir?: string;
  /** The file itself, if somebody chose it. */
  readonly file?: string;
  readonly id?: string;
  readonly parentSession?: string;
  /** What it starts with, such as a branch of another session. */
  readonly entries?: readonly SessionEntry[];
}

export interface OpenSessionOptions extends FileOptions {
  /** The folder of a session whose header does not say; without it the current one. */
  readonly cwd?: string;
}

/**
 * A session that is kept in a file: every entry is in it before the call that added it returns.
 *
 * @example
 * const { session } = SessionFile.open("session.jsonl");
 * session.appendSessionName("Release notes");
 * session.close();
 */
export class SessionFile extends SessionTree {
  readonly #writer: SessionWriter;

  private constructor(
    writer: SessionWriter,
    options: Required<Pick<SessionTreeOptions, "cwd" | "file" | "restored">>,
  ) {
    const dir = dirname(options.file);
    super({ ...options, dir, onAppend: (entry, session) => writer.append(entry, session) });
    this.#writer = writer;
  }

  /** A new session. Its file comes with the first entry worth keeping, so no empty ones pile up. */
  static create(options: CreateSessionOptions): SessionFile {
    const { cwd, dir = sessionDir(cwd), entries = [], durable = false, io = fileIO } = options;
    const header = newHeader(options);
    const file = resolve(options.file ?? join(dir, sessionFileName(header)));
    const { index } = EntryIndex.from(entries);
    const writer = new SessionWriter({ path: file, io, durable }, "missing");
    const session = new SessionFile(writer, { cwd, file, restored: { header, index } });
    writer.begin(session);
    return session;
  }

  /** Opens a session to go on with it. Throws while another process has it open. */
  static open(
    path: string,
    options: OpenSessionOptions = {},
  ): { session: SessionFile; problems: SessionProblem[] } {
    const { cwd = process.cwd(), durable = false, io = fileIO } = options;
    const file = resolve(path);
    const real = openable(file);
    try {
      const content = readContent(real, io, cwd);
      if (content.isTorn) content.problems.push(repair(real, content.end));
      const { index, problems } = EntryIndex.from(content.entries);
      const writer = writerFor({ path: real, io, durable }, content);
      const restored = { header: content.header, index };
      const session = new SessionFile(writer, { cwd: content.header.cwd, file, restored });
      return { session, problems: [...content.problems, ...problems] };
    } catch (error) {
      unlockSession(real);
      throw error;
    }
  }

  /** Lets other processes have it. Nothing is lost without it. */
  close(): void {
    this.#writer.close();
  }
}

/**
 * Reads a session, also while another process writes it. Nothing is changed, locked or repaired.
 *
 * @example
 * const { session } = readSession("session.jsonl");
 * for (const entry of session.getBranch()) console.log(entry.type);
 */
export function readSession(
  path: string,
  options: OpenSessionOptions = {},
): { session: SessionTree; problems: SessionProblem[] } {
  const { cwd = process.cwd(), io = fileIO } = options;
  const file = resolve(path);
  const { header, entries, problems } = readContent(file, io, cwd);
  const read = SessionTree.fromEntries(header, entries, { file, dir: dirname(file) });
  return { session: read.session, problems: [...problems, ...read.problems] };
}

/** Where a session truly is, locked: what is read from now on is not changed by others. */
function openable(file: string): string {
  let real: string;
  try {
    real = realpathSync(file);
  } catch (error) {
    throw readError(file, error);
  }
  try {
    lockSession(real);
  } catch (error) {
    throw writeError(real, error);
  }
  return real;
}

function repair(path: string, end: number): SessionProblem {
  try {
    return { kind: "torn", message: `What was cut off is kept in ${moveTornEnd(path, end)}.` };
  } catch (error) {
    throw writeError(path, error);
  }
}

function writerFor(options: WriterOptions, content: SessionContent): SessionWriter {
  const { isOutdated, endsWithNewline } = content;
  try {
    return new SessionWriter(options, isOutdated ? "outdated" : "current", !endsWithNewline);
  } catch (error) {
    throw writeError(options.path, error);
  }
}
