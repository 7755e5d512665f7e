import type { TranscriptEntry } from "./entry.ts";

/** GitHub refuses blobs over 100 MB; half of that leaves room. */
export const MAX_CHUNK_BYTES = 50 * 1024 * 1024;

/** Where an entry stands: line (JSONL, Markdown) or index of the message (JSON), from 0. */
export interface Located {
  readonly position: number;
  readonly entry: TranscriptEntry;
  /** The agent still works on the message this came from: it will be read again. */
  readonly open?: boolean;
}

/** Whether an agent writes down at all what its calls of the model used. */
export function tellsUsage({ lines }: TranscriptFormat): boolean {
  return lines === undefined || lines.usageMarks.length > 0;
}

/** How an agent writes a transcript down, and how to read it. */
export interface TranscriptFormat {
  /** What positions count. */
  readonly unit: "line" | "message";
  /** Raw bytes in the agent's own format; for agents with a database, its export format. */
  read(ref: string): Promise<Buffer>;
  /** Whether content is in this format; looks only at the beginning. */
  recognise(head: Buffer): boolean;
  /** Cuts where the format allows it; one piece if it fits. */
  chunk(content: Buffer, maxBytes?: number): Buffer[];
  reassemble(chunks: readonly Buffer[]): Buffer;
  /** Tool calls have the ids there that the hooks before them give, and say when they were made. */
  readonly namesCalls?: true;
  /** The keys of usage are those of the provider: the same key in two transcripts is one call. */
  readonly usageIsGlobal?: true;
  /** A call of the skill tool there is a use only if a hook told of it too. */
  readonly onlyPlacesSkills?: true;
  /** The agent writes late: resolves when what was said so far is in the file, or time is up. */
  prepare?(ref: string, until: { text?: string; timeoutMs?: number }): Promise<void>;
  /**
   * The session whose history this one carries, where only a look at other transcripts tells it.
   * Asked once, when a transcript with history is read for the first time.
   */
  forkedFrom?(ref: string): Promise<string | undefined>;
  /**
   * For formats of one record a line: what a line says. Never throws; a line that means nothing
   * gives nothing.
   */
  readonly lines?: LineFormat;
  /** For formats that are one document or a database: all of it, from a position on. */
  entries?(ref: string, from: number): AsyncIterable<Located>;
  /** What `read` gave, for formats that are one document. */
  document?(content: Buffer): readonly Located[];
  /** For formats that used to be documents and are lines now: whether this one is still old. */
  isDocument?(ref: string): boolean;
}

/** How the lines of a transcript are read. */
export interface LineFormat {
  /**
   * A parsed line. `seen` lets formats that patch earlier lines keep what they need: it is stored
   * as JSON between two scans, so it has to stay small.
   */
  parse(line: unknown, seen: Map<string, unknown>, position?: number): TranscriptEntry[];
  /** A line with none of these holds no usage, so that it need not be parsed for tokens. */
  readonly usageMarks: readonly string[];
  /**
   * The usage of a line without parsing all of it, for when only tokens count. Undefined: it has
   * to be parsed.
   */
  quickUsage?(line: Buffer): readonly TranscriptEntry[] | undefined;
  /** How the text of a line becomes what `parse` gets; throws on garbage. Without it: JSON. */
  decode?(text: string): unknown;
}
