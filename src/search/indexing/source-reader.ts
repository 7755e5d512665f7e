import {
  type Agent,
  type ReadState,
  readAppended,
  type TranscriptEntry,
} from "../../agents/index.ts";
import { numberIn, textIn, type Value } from "../store/database.ts";
import type { IndexWriter, KeptEntry } from "../store/writer.ts";
import type { Forgotten } from "./forgotten.ts";
import type { TextRedaction } from "./redaction.ts";
import { type EntryText, textsOf } from "./texts.ts";

/** A transcript that is to be read, or a part of one that is kept in git. */
export interface Source {
  readonly agent: Agent;
  /** Its name among all sources: a path, or where it is in git. */
  readonly ref: string;
  readonly mark: string;
  /** The session its entries belong to; for a subagent that of its parent. */
  readonly sessionId?: string;
  readonly project?: string;
  /** For what is no transcript on disk: all of it, whenever its mark has changed. */
  readonly readWhole?: (sink: SourceSink) => Promise<void>;
}

/** Takes what a source says. */
export interface SourceSink {
  entry(entry: TranscriptEntry, place: EntryPlace): void;
  /** A text that is in no transcript; the time as ISO. */
  text(text: EntryText, at: string): void;
}

interface EntryPlace {
  readonly position: number;
  readonly offset: number;
}

interface Parts {
  readonly writer: IndexWriter;
  readonly redaction: TextRedaction;
  readonly forgotten: Forgotten;
  /** Whether somebody waits to change the index: the reader writes what it has, and lets him. */
  readonly isAwaited: () => boolean;
  /** The reader calls it between two pieces of a long transcript, with how far it came, in bytes. */
  readonly breathe: (readTo: number) => Promise<void>;
  readonly open?: Parameters<typeof readAppended>[2]["open"];
}

/** Entries are redacted and written when they hold so much text. */
const FLUSH_CHARACTERS = 500_000;
/** How many calls wait for what their tool gives back. */
const MOST_CALLS = 1_000;

/** What one pass over a source found. */
export interface SourceRead {
  readonly bytes: number;
  readonly entries: number;
}

type Waiting = Omit<KeptEntry, "session"> & { readonly text: string };
type Usage = NonNullable<TranscriptEntry["usage"]> & {
  readonly at?: number | undefined;
  readonly model?: string | undefined;
};

/** Reads what is new in one source into the index. */
export class SourceReader {
  readonly #parts: Parts;
  readonly #source: Source;
  readonly #tools = new Map<string, string>();
  #id = 0;
  #session: number | undefined;
  #sessionId: string | undefined;
  #project: string | undefined;
  #model: string | undefined;
  #waiting: Waiting[] = [];
  #characters = 0;
  #usages: Usage[] = [];
  #files = new Set<string>();
  #title: string | undefined;
  #first: number | undefined;
  #last: number | undefined;
  #entries = 0;
  #readTo = 0;

  constructor(parts: Parts, source: Source) {
    this.#parts = parts;
    this.#source = source;
  }

  async read(): Promise<SourceRead> {
    const { writer, isAwaited, breathe, open } = this.#parts;
    const { database } = writer;
    const { ref, agent, mark } = this.#source;
    writer.begin();
    const row = database.one("SELECT * FROM sources WHERE ref = ?", ref);
    this.#id =
      numberIn(row, "id") ??
      database.run("INSERT INTO sources (ref, agent) VALUES (?, ?)", ref, agent.name);
    this.#model = textIn(row, "model");
    const before = textIn(row, "state");
    this.#enter(this.#sessionOf(numberIn(row, "session")));
    if (this.#source.readWhole) {
      if (before !== undefined) this.#restart();
      await this.#source.readWhole({
        entry: (entry, place) => this.#take(entry, place),
        text: (text, at) => this.#keep(text, timeOf(at), {}),
      });
      await this.#flush({}, mark);
      return { bytes: 0, entries: this.#entries };
    }
    const read = await readAppended(agent.transcript, ref, {
      ...(before !== undefined && { from: JSON.parse(before) }),
      ...(open && { open }),
      onRestart: () => this.#restart(),
      onEntry: (entry, place) => this.#take(entry, place),
      between: async (state) => {
        if (this.#characters >= FLUSH_CHARACTERS || isAwaited()) await this.#flush(state(), null);
        await breathe(this.#readTo);
      },
    });
    await this.#addTotals();
    await this.#flush(read.state, mark);
    return { bytes: read.bytesRead, entries: this.#entries };
  }

  /** Some agents write down only what all calls of a session used together. */
  async #addTotals(): Promise<void> {
    const { agent, ref } = this.#source;
    const tokens = await agent.sessions.totals?.(ref);
    if (!tokens || this.#isForgotten(this.#last)) return;
    this.#usages.push({ key: "totals", tokens, at: this.#last, model: this.#model });
  }

  /** By its name, or as the last pass left it. */
  #sessionOf(known: number | undefined): { id?: string | undefined } {
    if (this.#source.sessionId !== undefined) return { id: this.#source.sessionId };
    const row =
      known === undefined
        ? undefined
        : this.#parts.writer.database.one("SELECT session FROM sessions WHERE id = ?", known);
    return { id: textIn(row, "session") };
  }

  #enter({ id }: { id?: string | undefined }): void {
    this.#sessionId = id;
    this.#session = undefined;
    this.#project = this.#source.project;
  }

  #restart(): void {
    this.#waiting = [];
    this.#usages = [];
    this.#characters = 0;
    this.#model = undefined;
    this.#parts.writer.removeEntries(this.#id);
  }

  #take(entry: TranscriptEntry, place: EntryPlace): void {
    const { agent, ref } = this.#source;
    this.#readTo = place.offset;
    if (entry.begins !== undefined) {
      // Another session of the same file: what was said so far belongs to the one before.
      this.#settle();
      this.#enter({ id: agent.sessions.idInside?.(ref, entry.begins) ?? entry.begins });
    }
    const at = timeOf(entry.at);
    if (this.#isForgotten(at)) return;
    this.#project ??= entry.cwd;
    if (entry.model !== undefined) this.#model = entry.model;
    if (entry.summary !== undefined) this.#title = entry.summary;
    for (const file of entry.tool?.files ?? []) this.#files.add(file);
    if (entry.kind === "tool_call" && entry.tool?.callId !== undefined) {
      this.#tools.set(entry.tool.callId, entry.tool.name || entry.tool.nativeName);
      const [oldest] = this.#tools.keys();
      if (this.#tools.size > MOST_CALLS && oldest !== undefined) this.#tools.delete(oldest);
    }
    if (entry.usage) this.#usages.push({ ...entry.usage, at, model: entry.model ?? this.#model });
    for (const text of textsOf(entry, (id) => this.#tools.get(id) ?? ""))
      this.#keep(text, at, place);
  }

  #keep({ role, text, tool }: EntryText, at: number | undefined, place: Partial<EntryPlace>): void {
    if (this.#isForgotten(at)) return;
    if (at !== undefined) {
      this.#first = Math.min(this.#first ?? at, at);
      this.#last = Math.max(this.#last ?? at, at);
    }
    this.#waiting.push({ role, text, tool, at, ...place });
    this.#characters += text.length;
  }

  #isForgotten(at: number | undefined): boolean {
    const id = this.#sessionId;
    // It may be forgotten while it is read.
    const until = id === undefined ? 0 : this.#parts.forgotten.until(id);
    return until > 0 && !(at !== undefined && at > until);
  }

  /** What is waiting is put down for the session that it was said in. */
  #settle(): void {
    if (this.#waiting.length + this.#usages.length === 0) return;
    this.#settled.push({
      session: this.#ensureSession(),
      project: this.#project,
      waiting: this.#waiting,
      usages: this.#usages,
    });
    this.#noteSession();
    this.#waiting = [];
    this.#usages = [];
  }

  #settled: {
    session: number;
    project: string | undefined;
    waiting: Waiting[];
    usages: Usage[];
  }[] = [];

  /** Writes what was read, together with how far that is: nothing is read twice or lost. */
  async #flush(state: Partial<ReadState>, mark: string | null): Promise<void> {
    const { writer, redaction } = this.#parts;
    this.#settle();
    const model = this.#model ?? null;
    const session = this.#session ?? null;
    const settled = this.#settled;
    this.#settled = [];
    this.#characters = 0;
    for (const { session: of, project, waiting, usages } of settled) {
      const texts = await redaction.redact(
        waiting.map(({ text }) => text),
        project,
      );
      const kept = waiting.map((one, index) => ({ ...one, session: of, text: texts[index] ?? "" }));
      writer.add(this.#id, kept);
      this.#count(of, usages);
      this.#entries += kept.length;
    }
    writer.begin();
    writer.database.run(
      "UPDATE sources SET session = coalesce(?, session), mark = ?, state = ?, model = ?, problem = NULL WHERE id = ?",
      session,
      mark,
      JSON.stringify(state),
      model,
      this.#id,
    );
    writer.commitIfMuch();
  }

  #ensureSession(): number {
    if (this.#session !== undefined) return this.#session;
    const { database } = this.#parts.writer;
    const agent = this.#source.agent.name;
    const id = this.#sessionId ?? this.#source.ref;
    const known = database.one(
      "SELECT id FROM sessions WHERE agent = ? AND session = ?",
      agent,
      id,
    );
    this.#session =
      numberIn(known, "id") ??
      database.run("INSERT INTO sessions (agent, session) VALUES (?, ?)", agent, id);
    return this.#session;
  }

  #noteSession(): void {
    const { database } = this.#parts.writer;
    const session = this.#ensureSession();
    const values: Value[] = [this.#project ?? null, this.#title ?? null];
    const times: Value[] = [
      this.#first ?? null,
      this.#first ?? null,
      this.#last ?? null,
      this.#last ?? null,
    ];
    database.run(
      `UPDATE sessions SET project = coalesce(project, ?), title = coalesce(?, title),
       first = min(coalesce(first, ?), coalesce(?, first)), last = max(coalesce(last, ?), coalesce(?, last))
       WHERE id = ?`,
      ...values,
      ...times,
      session,
    );
    for (const path of this.#files)
      database.run("INSERT OR IGNORE INTO files VALUES (?, ?)", session, path);
    this.#files.clear();
    this.#title = undefined;
    this.#first = undefined;
    this.#last = undefined;
  }

  /**
   * A call of a model counts once. Agents repeat its usage on several lines and write it again when
   * it grew: the largest counts. Sessions that go on from another bring its lines along: there the
   * earliest counts.
   */
  #count(session: number, usages: readonly Usage[]): void {
    const { database } = this.#parts.writer;
    const { name: agent, transcript } = this.#source.agent;
    const byKey = new Map<string, Usage>();
    for (const usage of usages) {
      const known = byKey.get(usage.key);
      if (!known || sumOf(usage.tokens) >= sumOf(known.tokens)) byKey.set(usage.key, usage);
    }
    const other = transcript.usageIsGlobal ? EARLIER_ELSEWHERE : SAME_ELSEWHERE;
    for (const { key, tokens, hourCacheTokens = 0, cost, at, model } of byKey.values()) {
      if (database.one(other, key, agent, this.#id, at ?? 0)) continue;
      if (transcript.usageIsGlobal) database.run(DROP_LATER, key, agent, this.#id, at ?? 0);
      database.run(
        PUT_CALL,
        this.#id,
        key,
        session,
        agent,
        at ?? null,
        model ?? null,
        tokens.input_tokens,
        tokens.output_tokens,
        tokens.cache_read_tokens,
        tokens.cache_creation_tokens,
        hourCacheTokens,
        tokens.api_call_count,
        cost ?? null,
      );
    }
  }
}

const ELSEWHERE = "FROM calls WHERE key = ? AND agent = ? AND source <> ?";
const EARLIER_ELSEWHERE = `SELECT 1 ${ELSEWHERE} AND at <= ?`;
const SAME_ELSEWHERE = `SELECT 1 ${ELSEWHERE} AND at = ?`;
const DROP_LATER = `DELETE ${ELSEWHERE} AND at > ?`;
const PUT_CALL = `INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (source, key) DO UPDATE SET at = excluded.at, model = excluded.model, input = excluded.input,
    output = excluded.output, cache_read = excluded.cache_read, cache_write = excluded.cache_write,
    cache_hour = excluded.cache_hour, cost = excluded.cost
  WHERE excluded.input + excluded.output + excluded.cache_read + excluded.cache_write
    >= input + output + cache_read + cache_write`;

function sumOf(tokens: Usage["tokens"]): number {
  const { input_tokens, output_tokens, cache_read_tokens, cache_creation_tokens } = tokens;
  return input_tokens + output_tokens + cache_read_tokens + cache_creation_tokens;
}

/** Milliseconds; undefined if it is no time. */
function timeOf(iso: string | undefined): number | undefined {
  const time = Date.parse(iso ?? "");
  return Number.isNaN(time) ? undefined : time;
}
