import { closeSync, fstatSync, openSync } from "node:fs";
import type { SessionEntry, SessionHeader } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import type { FileIO } from "./file-io.ts";
import { Migration, type RawEntry } from "./migrate.ts";
import { parseEntry, parseHeader } from "./parse-entry.ts";
import { readError } from "./session-error.ts";
import { fromFileName } from "./session-path.ts";
import type { SessionProblem } from "./session-problem.ts";
import { SESSION_VERSION } from "./session-tree.ts";

export interface SessionContent {
  readonly header: SessionHeader;
  readonly entries: SessionEntry[];
  readonly problems: SessionProblem[];
  /** Whether the file has to be written anew before something can be added to it. */
  readonly isOutdated: boolean;
  /** Where the last line that can be read ends; what follows was torn off if `isTorn`. */
  readonly end: number;
  readonly isTorn: boolean;
  readonly endsWithNewline: boolean;
}

/** `cwd`: of a session whose header does not say. */
export function readContent(path: string, io: FileIO, cwd: string): SessionContent {
  try {
    const fd = openSync(path, "r");
    try {
      const reader = new SessionReader(cwd);
      readLines(fd, io, (line) => reader.take(line));
      return reader.finish(path);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw readError(path, error);
  }
}

/** Takes the lines of a session file one after the other; each is parsed once. */
class SessionReader {
  readonly #cwd: string;
  readonly #entries: SessionEntry[] = [];
  readonly #problems: SessionProblem[] = [];
  /** Lines that are not JSON: torn if they turn out to be the last, garbage otherwise. */
  #unreadable: SessionProblem[] = [];
  #header: SessionHeader | undefined;
  #migration = new Migration(SESSION_VERSION);
  #isOutdated = false;
  #beginning = "";
  #line = 0;
  #values = 0;
  #end = 0;
  #endsWithNewline = true;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  take({ bytes, end, hasNewline }: Line): void {
    this.#line++;
    if (bytes.length === 0) return;
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString());
    } catch {
      this.#skip(bytes);
      return;
    }
    for (const garbage of this.#unreadable) this.#problems.push(garbage);
    this.#unreadable = [];
    this.#end = end;
    this.#endsWithNewline = hasNewline;
    this.#accept(value, this.#values++);
  }

  finish(path: string): SessionContent {
    const header = this.#header ?? this.#recoverHeader(path);
    const [torn] = this.#unreadable;
    if (torn) {
      const message = "The end of the file is damaged: it was cut off while it was written.";
      this.#problems.push({ ...torn, kind: "torn", message });
    }
    if ((header.version ?? 1) > SESSION_VERSION) {
      const message = `The session is of version ${header.version}, newer than this Seam.`;
      this.#problems.push({ kind: "header", message });
    }
    return {
      header: this.#isOutdated ? { ...header, version: SESSION_VERSION } : header,
      entries: this.#entries,
      problems: this.#problems,
      isOutdated: this.#isOutdated,
      end: this.#end,
      isTorn: torn !== undefined,
      endsWithNewline: this.#endsWithNewline,
    };
  }

  #skip(bytes: Buffer): void {
    const beginning = bytes.toString("latin1", 0, HEADER_START.length);
    if (beginning.trim() === "" && bytes.toString("latin1").trim() === "") return;
    if (this.#line === 1) this.#beginning = beginning;
    this.#unreadable.push({ kind: "garbage", line: this.#line, message: "Not JSON." });
  }

  #accept(value: unknown, index: number): void {
    if (!isRecord(value)) this.#report("garbage", "Not an entry.");
    else if (value.type === "session") this.#acceptHeader(value);
    else this.#acceptEntry(this.#migration.bringUp(value, index));
  }

  #acceptEntry(value: RawEntry): void {
    const parsed = parseEntry(value);
    if (!parsed) {
      this.#report("garbage", "An entry needs a type and an id.");
      return;
    }
    this.#entries.push(parsed.entry);
    if (!parsed.malformed) return;
    const { id } = parsed.entry;
    this.#report("malformed", `The entry ${id} (${String(value.type)}) is incomplete.`, id);
  }

  #acceptHeader(value: RawEntry): void {
    const header = this.#header ? undefined : parseHeader(value, this.#cwd);
    if (!header) {
      this.#report("garbage", "A header without an id, or a second one.");
      return;
    }
    const version = header.version ?? 1;
    this.#header = header;
    this.#migration = new Migration(version);
    // Pi takes a file that does not start with its header for an empty one.
    this.#isOutdated = version < SESSION_VERSION || this.#values > 1;
  }

  /** The file's name says who the session is; without it or an entry this is no session. */
  #recoverHeader(path: string): SessionHeader {
    const isCut = HEADER_START.startsWith(this.#beginning) && this.#unreadable.length <= 1;
    if (this.#entries.length === 0 && (this.#values > 0 || !isCut)) {
      throw new Error("it is not a session file");
    }
    this.#isOutdated = true;
    const message = "The first line, which says what session this is, is missing or damaged.";
    this.#problems.push({ kind: "header", line: 1, message });
    const { id, timestamp = this.#entries[0]?.timestamp } = fromFileName(path);
    const started = timestamp ?? new Date().toISOString();
    return { type: "session", version: SESSION_VERSION, id, timestamp: started, cwd: this.#cwd };
  }

  #report(kind: SessionProblem["kind"], message: string, entryId?: string): void {
    this.#problems.push({ kind, line: this.#line, message, ...(entryId && { entryId }) });
  }
}

const HEADER_START = '{"type":"session"';

const CHUNK = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

interface Line {
  /** Without its newline. Valid only during the call it is passed to. */
  readonly bytes: Buffer;
  /** Where the next line starts. */
  readonly end: number;
  readonly hasNewline: boolean;
}

/** Reads a file once, in chunks into one buffer: no copy of the text is ever complete in memory. */
export function readLines(fd: number, io: FileIO, onLine: (line: Line) => void): void {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, fstatSync(fd).size + 1));
  let position = 0;
  let begun: Buffer[] = [];
  for (let length = io.read(fd, chunk); length > 0; length = io.read(fd, chunk)) {
    const filled = chunk.subarray(0, length);
    let start = 0;
    let newline = filled.indexOf(NEWLINE);
    for (; newline !== -1; newline = filled.indexOf(NEWLINE, start)) {
      const rest = filled.subarray(start, newline);
      const bytes = begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      begun = [];
      start = newline + 1;
      onLine({ bytes, end: position + start, hasNewline: true });
    }
    // It is a copy, because the next read goes into the same buffer.
    if (start < length) begun.push(Buffer.from(filled.subarray(start)));
    position += length;
  }
  if (begun.length > 0) onLine({ bytes: Buffer.concat(begun), end: position, hasNewline: false });
}
