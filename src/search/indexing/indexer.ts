import { setImmediate as othersFirst } from "node:timers/promises";
import { type Agent, type HomeFolders, markParts } from "../../agents/index.ts";
import { inWords, SeamError, systemCode } from "../../errors/index.ts";
import { rememberedRepositories } from "../../record/index.ts";
import {
  asRefusal,
  type Database,
  filesOf,
  hasIndex,
  indexFolder,
  isDamage,
  isSameIndex,
  numberIn,
  openToWrite,
  removeIndex,
  textIn,
} from "../store/database.ts";
import { IndexWriter } from "../store/writer.ts";
import { takeRecords } from "./checkpoints.ts";
import { changedSources, findSources, identified } from "./find-sources.ts";
import { Forgotten } from "./forgotten.ts";
import { TextRedaction } from "./redaction.ts";
import { type Source, SourceReader } from "./source-reader.ts";

type Log = (level: "info" | "warn", text: string, error?: unknown) => void;

export interface IndexerOptions {
  /** The user's Seam folder. */
  readonly home: string;
  readonly agents: readonly Agent[];
  /** Where agents keep their sessions. */
  readonly folders: Omit<HomeFolders, "projects">;
  readonly log: Log;
  readonly onProgress?: (progress: Progress) => void;
  /** How long to wait for another process that writes the index, if not the usual time. */
  readonly busyMs?: number;
  /** How transcripts are opened; tests count through it. */
  readonly open?: ConstructorParameters<typeof SourceReader>[0]["open"];
}

/** How far a pass is. */
export interface Progress {
  readonly sources: number;
  readonly sourcesDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
}

/** What a pass over everything did. */
export interface PassResult {
  /** Sources that had changed. */
  readonly sources: number;
  readonly entries: number;
  /** Bytes of transcripts that were read. */
  readonly bytesRead: number;
  /** Sources that could not be read. */
  readonly failed: number;
}

/** Keeps the index up to date. One at a time uses it; it lives in a thread of its own. */
export class Indexer {
  readonly #options: IndexerOptions;
  readonly #forgotten: Forgotten;
  readonly #redaction: TextRedaction;
  #writer: IndexWriter | undefined;
  /** The files that it writes to, as it left them. */
  #files: ReturnType<typeof filesOf> = [];
  /** Work that came while a pass is under way, and is done at its next pause. */
  readonly #urgent: (() => Promise<void>)[] = [];
  #line: Promise<unknown> = Promise.resolve();
  #isPassing = false;
  readonly #leaving = new AbortController();

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#forgotten = new Forgotten(options.home);
    this.#redaction = new TextRedaction(options.log);
  }

  /** Looks at every transcript there is and reads what is new. */
  pass(): Promise<PassResult> {
    return this.#passInLine(() => this.#passSafely());
  }

  /** Makes all of it anew. What was forgotten stays forgotten. */
  rebuild(): Promise<PassResult> {
    return this.#passInLine(() => {
      this.#discard();
      return this.#passSafely();
    });
  }

  /** Takes a session out, with everything that would give it away. */
  forget(session: string): Promise<void> {
    const work = async () => {
      // The session is noted even without an index, because there may be one later.
      this.#forgotten.add(session);
      if (hasIndex(this.#options.home)) this.#guarded((writer) => forgetSession(writer, session));
    };
    return this.#isPassing ? this.#soon(work) : this.#inLine(work);
  }

  close(): Promise<void> {
    return this.#inLine(async () => {
      this.#writer?.commit();
      this.#writer?.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      this.#writer?.database.close();
      this.#writer = undefined;
    });
  }

  /** Gives up what is under way at its next pause, and closes. What was not committed is read again. */
  leave(): Promise<void> {
    this.#leaving.abort(new SeamError("SEAM_SEARCH_ENDED"));
    return this.close();
  }

  /**
   * Lets other work come first, and goes no further if that was to leave. What came since the last
   * pause is done before anything new can come: the reader knows what to expect.
   */
  async #pause(): Promise<void> {
    await this.#doUrgent();
    await othersFirst();
    this.#leaving.signal.throwIfAborted();
  }

  async #passSafely(): Promise<PassResult> {
    try {
      const done = await this.#pass();
      if (this.#isInPlace()) return done;
    } catch (error) {
      this.#abandon();
      if (!isDamage(error)) throw asRefusal(error, indexFolder(this.#options.home));
      this.#options.log("warn", "The index of search is damaged and is made anew", error);
      this.#discard();
    }
    const again = await this.#pass();
    this.#files = filesOf(this.#options.home);
    return again;
  }

  /** False if somebody took the index away from under it. Notes what it looks like now, if not. */
  #isInPlace(): boolean {
    const now = filesOf(this.#options.home);
    const isSame = isSameIndex(this.#files, now);
    if (isSame) this.#files = now;
    return isSame;
  }

  async #pass(): Promise<PassResult> {
    const { agents, log, onProgress } = this.#options;
    const writer = this.#open();
    const found = await findSources(agents, this.#folders(writer.database), (text, error) =>
      log("warn", text, error),
    );
    const changed = changedSources(writer.database, found);
    const total = { sources: changed.length, bytes: sizeOf(changed) };
    const sum = { entries: 0, bytesRead: 0, failed: 0 };
    let bytesDone = 0;
    for (const [sourcesDone, source] of changed.entries()) {
      const tell = steadily((readTo) =>
        onProgress?.({ ...total, sourcesDone, bytesDone: bytesDone + readTo }),
      );
      const read = await this.#read(writer, source, tell);
      sum.entries += read?.entries ?? 0;
      sum.bytesRead += read?.bytes ?? 0;
      sum.failed += read ? 0 : 1;
      bytesDone += markParts(source.mark).size;
      await this.#pause();
    }
    await takeRecords({
      writer,
      leaving: this.#leaving.signal,
      log: (text, error) => log("warn", text, error),
      take: async (source) => {
        const known = writer.database.one("SELECT mark FROM sources WHERE ref = ?", source.ref);
        if (textIn(known, "mark") === source.mark) return;
        await this.#pause();
        sum.entries += (await this.#read(writer, source))?.entries ?? 0;
      },
    });
    writer.commit();
    onProgress?.({ ...total, sourcesDone: total.sources, bytesDone: total.bytes });
    return { sources: changed.length, ...sum };
  }

  /** Undefined if the transcript cannot be read: that is noted, and tried again the next time. */
  async #read(writer: IndexWriter, source: Source, tell?: (readTo: number) => void) {
    const { open } = this.#options;
    const reader = new SourceReader(
      {
        writer,
        redaction: this.#redaction,
        forgotten: this.#forgotten,
        isAwaited: () => this.#urgent.length > 0,
        breathe: (readTo) => {
          tell?.(readTo);
          return this.#pause();
        },
        ...(open && { open }),
      },
      identified(source),
    );
    try {
      return await reader.read();
    } catch (error) {
      if (isOfDatabase(error) || this.#leaving.signal.aborted) throw error;
      writer.database.run(
        "UPDATE sources SET mark = NULL, problem = ? WHERE ref = ?",
        inWords(error),
        source.ref,
      );
      return undefined;
    }
  }

  #folders(database: Database): HomeFolders {
    const remembered = rememberedRepositories().map(({ workTree }) => workTree);
    const known = database
      .all("SELECT DISTINCT project FROM sessions WHERE project IS NOT NULL")
      .flatMap((row) => textIn(row, "project") ?? []);
    return { ...this.#options.folders, projects: [...new Set([...remembered, ...known])] };
  }

  #open(): IndexWriter {
    const { home, log, busyMs } = this.#options;
    if (this.#writer && !this.#isInPlace()) {
      log("warn", "Somebody removed or replaced the index of search, so it is made anew.");
      this.#discard();
    }
    if (this.#writer) return this.#writer;
    this.#writer = new IndexWriter(openToWrite(home, (text) => log("warn", text), busyMs));
    this.#files = filesOf(home);
    return this.#writer;
  }

  /** Does something with the index, or leaves it as it was. */
  #guarded(work: (writer: IndexWriter) => void): void {
    const writer = this.#open();
    try {
      work(writer);
      this.#files = filesOf(this.#options.home);
    } catch (error) {
      this.#abandon();
      throw asRefusal(error, indexFolder(this.#options.home));
    }
  }

  #abandon(): void {
    try {
      this.#writer?.rollBack();
      this.#writer?.database.close();
    } catch {
      // The fault has been reported already.
    }
    this.#writer = undefined;
  }

  #discard(): void {
    this.#abandon();
    removeIndex(this.#options.home);
  }

  #inLine<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#line.then(work);
    this.#line = done.catch(() => {});
    return done;
  }

  /** What came while it was under way, and too late for its last pause, is done when it has ended. */
  #passInLine(pass: () => Promise<PassResult>): Promise<PassResult> {
    return this.#inLine(async () => {
      this.#isPassing = true;
      try {
        return await pass();
      } finally {
        this.#isPassing = false;
        await this.#doUrgent();
      }
    });
  }

  #soon(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#urgent.push(() => work().then(resolve, reject));
    });
  }

  async #doUrgent(): Promise<void> {
    for (let work = this.#urgent.shift(); work; work = this.#urgent.shift()) {
      this.#writer?.commit();
      await work();
    }
  }
}

/** How much of a transcript is read before somebody is told again how far it is. */
const STEP_BYTES = 4 * 1024 * 1024;

/** Tells at once, and then whenever there is a step more to tell. */
function steadily(tell: (readTo: number) => void): (readTo: number) => void {
  let told = 0;
  tell(told);
  return (readTo) => {
    if (readTo < told + STEP_BYTES) return;
    told = readTo;
    tell(readTo);
  };
}

function sizeOf(sources: readonly Source[]): number {
  return sources.reduce((sum, { mark }) => sum + markParts(mark).size, 0);
}

function isOfDatabase(error: unknown): boolean {
  return /^SQLITE_/.test(systemCode(error) ?? "") || isDamage(error);
}

function forgetSession(writer: IndexWriter, session: string): void {
  const { database } = writer;
  writer.begin();
  database.exec("PRAGMA secure_delete = ON");
  for (const row of database.all("SELECT id FROM sessions WHERE session = ?", session)) {
    const id = numberIn(row, "id") ?? 0;
    writer.removeSession(id);
    database.run("DELETE FROM calls WHERE session = ?", id);
    database.run("DELETE FROM files WHERE session = ?", id);
    database.run("DELETE FROM commits WHERE session = ?", id);
    database.run("UPDATE sessions SET title = NULL WHERE id = ?", id);
  }
  // What was deleted stays in pieces of an index until they are merged.
  for (const table of ["words", "outputs", "grams"]) {
    database.run(`INSERT INTO ${table} (${table}) VALUES ('optimize')`);
  }
  writer.commit();
  database.exec("PRAGMA secure_delete = OFF; PRAGMA wal_checkpoint(TRUNCATE);");
}
