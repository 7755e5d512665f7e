import type { TranscriptEntry } from "../transcripts/entry.ts";
import { readFileLines } from "../transcripts/file-lines.ts";
import { record } from "../transcripts/json.ts";
import { bareLine } from "../transcripts/line-decoder.ts";
import { openReadable, type ReadableFile } from "../transcripts/readable-file.ts";
import type { SessionChange, Watcher } from "../watcher.ts";
import { historyFile } from "./chat-history.ts";
import { ChatPart, isForModel } from "./chat-part.ts";
import { transcript } from "./transcript.ts";

interface WatchState {
  readonly offset: number;
  readonly position: number;
  readonly seen: readonly (readonly [string, unknown])[];
  readonly sessionId?: string;
  /** The prompt that was told before its end was seen. */
  readonly told?: string;
}

/** Aider has no hooks: what it does is read from its history as it grows. */
export const watcher: Watcher = {
  watchPaths: (place) => [historyFile(place)],
  async changed(path, state) {
    const known = isWatchState(state) ? state : undefined;
    let file: ReadableFile;
    try {
      file = openReadable(path);
    } catch {
      return { changes: [], state };
    }
    try {
      const { size } = file.stat();
      const from = known && known.offset <= size ? known : undefined;
      const follower = new Follower(path, from);
      const read = await readFileLines(file, from?.offset ?? 0, size, (line) =>
        follower.line(line),
      );
      const changes = follower.changes();
      // Of a history that was there before, only what is going on now is news.
      return {
        changes: known ? changes : latest(changes),
        state: follower.state(read.end),
      };
    } finally {
      file.close();
    }
  },
};

class Follower {
  readonly #path: string;
  readonly #seen: Map<string, unknown>;
  readonly #changes: SessionChange[] = [];
  #position: number;
  #sessionId: string | undefined;
  #told: string | undefined;
  #isAnswered = false;

  constructor(path: string, from: WatchState | undefined) {
    this.#path = path;
    this.#seen = new Map(from?.seen);
    this.#position = from?.position ?? 0;
    this.#sessionId = from?.sessionId;
    this.#told = from?.told;
  }

  line(bytes: Buffer): void {
    const position = this.#position++;
    const line = bareLine(bytes, position).toString("utf8");
    for (const entry of transcript.lines?.parse(line, this.#seen, position) ?? []) {
      this.#note(entry);
    }
  }

  changes(): SessionChange[] {
    // Aider writes a prompt as a whole and then waits for the model.
    const part = ChatPart.in(this.#seen);
    const text = part.text.trim();
    if (part.is === "prompt" && isForModel(text)) this.#prompt(`line-${part.start}`, text);
    this.#end();
    return this.#changes;
  }

  state(offset: number): WatchState {
    return {
      offset,
      position: this.#position,
      seen: [...this.#seen],
      ...(this.#sessionId !== undefined && { sessionId: this.#sessionId }),
      ...(this.#told !== undefined && { told: this.#told }),
    };
  }

  #note(entry: TranscriptEntry): void {
    const { kind, id, at, text, usage } = entry;
    if (kind === "other" && id !== undefined && at !== undefined) {
      this.#end();
      this.#sessionId = id;
      this.#tell({ event: "session_start", at });
    } else if (kind === "user" && id !== undefined && text !== undefined) this.#prompt(id, text);
    // The report of tokens is the last thing of an answer; more of them may follow in a turn.
    else if (usage) this.#isAnswered = true;
  }

  #prompt(id: string, prompt: string): void {
    if (this.#told === id) return;
    this.#end();
    this.#told = id;
    this.#tell({ event: "agent_start", prompt });
  }

  #end(): void {
    if (this.#isAnswered) this.#tell({ event: "agent_end" });
    this.#isAnswered = false;
  }

  #tell(change: Pick<SessionChange, "event" | "prompt"> & { readonly at?: string }): void {
    const sessionId = this.#sessionId ?? "aider";
    const at = change.at ?? new Date().toISOString();
    this.#changes.push({ sessionId, ref: this.#path, ...change, at });
  }
}

/** The start of the last session, and its last turn. */
function latest(changes: readonly SessionChange[]): SessionChange[] {
  const start = changes.findLastIndex(({ event }) => event === "session_start");
  const turn = changes.findLastIndex(({ event }) => event === "agent_start");
  return changes.filter((_, index) => index === start || (index >= turn && turn > start));
}

function isWatchState(value: unknown): value is WatchState {
  const { offset, position, seen } = record(value);
  return typeof offset === "number" && typeof position === "number" && Array.isArray(seen);
}
