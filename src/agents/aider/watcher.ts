import { createHash } from "node:crypto";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import { readFileLines } from "../transcripts/file-lines.ts";
import { type Fingerprint, fingerprintOf, isSameFile } from "../transcripts/fingerprint.ts";
import { record } from "../transcripts/json.ts";
import { bareLine } from "../transcripts/line-decoder.ts";
import { openReadable, type ReadableFile } from "../transcripts/readable-file.ts";
import type { SessionChange, Watcher, WatchOptions } from "../watcher.ts";
import { chatRef, historyFile, sessionIdOf, startedChat } from "./chat-history.ts";
import { ChatPart, isForModel } from "./chat-part.ts";
import { transcript } from "./transcript.ts";

interface WatchState {
  readonly offset: number;
  readonly file: Fingerprint;
  /** How often the history was written anew: the same line is another one then. */
  readonly rewrites: number;
  readonly chat: ChatState;
}

/** Where in a chat the history is. */
interface ChatState {
  readonly sessionId?: string;
  /** Line of the chat. */
  readonly position: number;
  readonly seen: readonly (readonly [string, unknown])[];
  /** The start of the session was told. */
  readonly isTold?: boolean;
  /** The prompt that was told last; it is told before its end is seen. */
  readonly prompt?: string;
  /** The start of the turn was reported. */
  readonly isOpen?: boolean;
  /** The answer to the prompt is there; edits and a commit may follow. */
  readonly isAnswered?: boolean;
}

const NO_CHAT: ChatState = { position: 0, seen: [] };
/** More at once is no chat: it is passed over, so that it takes neither memory nor time. */
const MOST_NEWS = 64 * 1024 * 1024;
/** How far back the beginning of the chat under way is looked for. */
const MOST_BACK = 16 * 1024 * 1024;
const BLOCK = 1024 * 1024;
const HEADER = "# aider chat started at ";

/** Aider has no hooks: what it does is read from its history as it grows. */
export const watcher: Watcher = {
  watchPaths: (place) => [historyFile(place)],
  async changed(path, state, options = {}) {
    const known = isWatchState(state) ? state : undefined;
    let file: ReadableFile;
    try {
      file = openReadable(path);
    } catch {
      return { changes: [], state };
    }
    try {
      return await look(path, file, known, options);
    } finally {
      file.close();
    }
  },
};

async function look(
  path: string,
  file: ReadableFile,
  known: WatchState | undefined,
  { since = 0, isQuiet = false }: WatchOptions,
) {
  const stats = file.stat();
  const { size } = stats;
  const isSame = known && isSameFile(file, known.offset, known.file, size).same;
  const rewrites = (known?.rewrites ?? 0) + (known && !isSame ? 1 : 0);
  const begin = () => new Follower(path, rewrites, NO_CHAT);
  let follower = isSame ? new Follower(path, rewrites, known.chat) : begin();
  let from = isSame ? known.offset : 0;
  const left = known && (!isSame || size - from > MOST_NEWS) ? leave(path, known) : [];
  // The file was rewritten or cut: only chats that began after the last known one are new.
  if (known && !isSame) follower.ignoreUpTo(known.chat.sessionId);
  const old = Math.max(known ? from : Math.min(since, size), size - MOST_NEWS);
  if (old > from) {
    follower = begin();
    const read = await readFileLines(file, lastHeader(file, old), old, (line) =>
      follower.line(line),
    );
    from = read.end;
    follower.forgetNews();
  }
  const read = await readFileLines(file, from, size, (line) => follower.line(line));
  follower.end(isQuiet);
  const { print } = fingerprintOf(file, read.end, stats);
  const next: WatchState = { offset: read.end, file: print, rewrites, chat: follower.state() };
  const changes = [...left, ...follower.changes];
  return { changes, state: next, ...(next.chat.isAnswered && { isWaiting: true }) };
}

/** Ends the turn of a chat whose history cannot be followed any more. */
function leave(path: string, { rewrites, chat }: WatchState): SessionChange[] {
  const follower = new Follower(path, rewrites, chat);
  follower.endTurn("cut");
  return [...follower.changes];
}

/** Where the chat begins that is under way at a place of a history; the place itself if unknown. */
function lastHeader(file: ReadableFile, before: number): number {
  const block = Buffer.alloc(BLOCK);
  const lowest = Math.max(0, before - MOST_BACK);
  for (let end = before; end > lowest; end -= BLOCK - HEADER.length) {
    const start = Math.max(lowest, end - BLOCK);
    const length = file.read(block, end - start, start);
    const bytes = block.subarray(0, length);
    for (let at = bytes.lastIndexOf(HEADER); at >= 0; at = bytes.lastIndexOf(HEADER, at - 1)) {
      const beginsLine = at > 0 ? bytes[at - 1] === 0x0a : start === 0;
      if (beginsLine) return start + at;
      if (at === 0) break;
    }
    if (start === lowest) break;
  }
  return before;
}

class Follower {
  readonly #path: string;
  readonly #rewrites: number;
  #changes: SessionChange[] = [];
  #seen: Map<string, unknown>;
  #position: number;
  #sessionId: string | undefined;
  #isTold: boolean;
  #prompt: string | undefined;
  #isOpen: boolean;
  #isAnswered: boolean;
  /** Skips the chats up to this one: they were written before. */
  #ignored = "";

  constructor(path: string, rewrites: number, from: ChatState) {
    this.#path = path;
    this.#rewrites = rewrites;
    this.#seen = new Map(from.seen);
    this.#position = from.position;
    this.#sessionId = from.sessionId;
    this.#isTold = from.isTold ?? false;
    this.#prompt = from.prompt;
    this.#isOpen = from.isOpen ?? false;
    this.#isAnswered = from.isAnswered ?? false;
  }

  get changes(): readonly SessionChange[] {
    return this.#changes;
  }

  line(bytes: Buffer): void {
    const line = bareLine(bytes, this.#position).toString("utf8");
    if (startedChat(line)) this.#chat(line);
    else this.#parse(line);
    this.#position++;
  }

  ignoreUpTo(sessionId = ""): void {
    this.#ignored = sessionId;
  }

  /** Skips what was read so far: it was written before anybody asked for it. */
  forgetNews(): void {
    this.#changes = [];
    const part = ChatPart.in(this.#seen);
    if (part.is === "prompt") this.#prompt = `${LINE}${part.start}`;
    this.#isTold = false;
    this.#isOpen = false;
    this.#isAnswered = false;
  }

  /** What was appended has been read. */
  end(isQuiet: boolean): void {
    // Aider writes a prompt as a whole and then waits for the model.
    const part = ChatPart.in(this.#seen);
    const text = part.text.trim();
    if (part.is === "prompt" && isForModel(text)) this.#begin(part.start, text);
    // After its answer aider applies edits and commits them: only then is the turn over.
    if (isQuiet && this.#isAnswered) this.endTurn();
  }

  state(): ChatState {
    return {
      position: this.#position,
      seen: [...this.#seen],
      ...(this.#sessionId !== undefined && { sessionId: this.#sessionId }),
      ...(this.#prompt !== undefined && { prompt: this.#prompt }),
      ...(this.#isTold && { isTold: true }),
      ...(this.#isOpen && { isOpen: true }),
      ...(this.#isAnswered && { isAnswered: true }),
    };
  }

  #chat(line: string): void {
    for (const entry of this.#entriesOf(line)) this.#note(entry);
    this.endTurn();
    this.#seen = new Map();
    this.#position = 0;
    this.#prompt = undefined;
    this.#isTold = false;
    const { id, at } = startedChat(line) ?? {};
    this.#sessionId = id && sessionIdOf(this.#path, id);
    if (at !== undefined) this.#tellStart(at);
  }

  #parse(line: string): void {
    for (const entry of this.#entriesOf(line)) this.#note(entry);
  }

  #entriesOf(line: string): readonly TranscriptEntry[] {
    return transcript.lines?.parse(line, this.#seen, this.#position) ?? [];
  }

  #note({ kind, id = "", text, usage, tool }: TranscriptEntry): void {
    if (kind === "user" && text !== undefined) this.#begin(Number(id.slice(LINE.length)), text);
    else if (kind === "tool_call") {
      for (const file of tool?.files ?? []) this.#did(id, { file });
      const { command, commit } = record(tool?.input);
      if (typeof command === "string") {
        this.#did(id, { command, ...(typeof commit === "string" && { commit }) });
      }
    }
    // The report of tokens is the last thing of an answer; more of them may follow in a turn.
    else if (usage) this.#isAnswered = this.#isOpen;
  }

  #begin(line: number, prompt: string): void {
    const id = `${LINE}${line}`;
    if (this.#prompt === id) return;
    this.endTurn(id, line);
    this.#prompt = id;
    if (this.#isIgnored) return;
    this.#isOpen = true;
    this.#tell(id, { event: "agent_start", prompt });
  }

  #did(id: string, what: Pick<SessionChange, "file" | "command" | "commit">): void {
    if (this.#isOpen) this.#tell(id, { event: "tool_execution_end", ...what });
  }

  /** `end`: the line after its last one. */
  endTurn(at = `${LINE}${this.#position}`, end = this.#position): void {
    if (this.#isOpen) this.#tell(at, { event: "agent_end", end });
    this.#isOpen = false;
    this.#isAnswered = false;
  }

  #tellStart(at?: string): void {
    if (this.#isTold || this.#isIgnored) return;
    this.#isTold = true;
    const sessionId = this.#sessionId ?? UNKNOWN_CHAT;
    const change = { event: "session_start", ...(at !== undefined && { at }) } as const;
    this.#changes.push(this.#change(sessionId, "start", change));
  }

  #tell(at: string, change: Told): void {
    if (this.#isIgnored) return;
    this.#tellStart();
    this.#changes.push(this.#change(this.#sessionId ?? UNKNOWN_CHAT, at, change));
  }

  get #isIgnored(): boolean {
    return this.#ignored !== "" && (this.#sessionId ?? "") <= this.#ignored;
  }

  #change(sessionId: string, place: string, { at, ...change }: Told): SessionChange {
    const file = createHash("sha256").update(this.#path).digest("hex").slice(0, 12);
    return {
      id: `${file}/${this.#rewrites}/${sessionId}/${place}/${change.event}`,
      sessionId,
      ref: chatRef(this.#path, sessionId),
      end: this.#position + 1,
      ...change,
      at: at ?? new Date().toISOString(),
    };
  }
}

type Told = Pick<SessionChange, "event" | "prompt" | "file" | "command" | "commit"> &
  Partial<Pick<SessionChange, "at" | "end">>;

/** Entries are known by the line they begin at. */
const LINE = "line-";

/** The beginning of the chat is too far back to be found. */
const UNKNOWN_CHAT = "aider-00000000000000";

function isWatchState(value: unknown): value is WatchState {
  const { offset, file, rewrites, chat } = record(value);
  const { position, seen } = record(chat);
  return (
    typeof offset === "number" &&
    typeof rewrites === "number" &&
    typeof record(file).size === "number" &&
    typeof position === "number" &&
    Array.isArray(seen)
  );
}
